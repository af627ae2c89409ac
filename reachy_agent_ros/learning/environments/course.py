"""What the body is asked to follow in one episode."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

Values = Mapping[str, float]
"""Parameters of an episode by name."""


def _calm(time: float) -> tuple[float, float]:
    return 0.0, 0.0


class Course(NamedTuple):
    """Where the channels of a task should be, time by time; times are in s since the episode began.

    Attributes:
        at: One value for each channel, m or rad.
        judged: Whether an error at that time counts.
        push: Torque on the head about the room's y and z axes, N m: what somebody's hand does.
    """

    at: Callable[[float], tuple[float, ...]]
    judged: Callable[[float], bool]
    push: Callable[[float], tuple[float, float]] = _calm


def after(start: float) -> Callable[[float], bool]:
    """Judges from a time on, s."""
    return lambda time: time >= start - 1e-6
