"""Dances from Pollen Robotics' package `reachy_mini_dances_library`, loaded without importing the SDK."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.motion.rehearsal import rehearsed

BEAT = 60.0 / 114.0
"""Duration of a beat, s: the library is choreographed for 114 beats per minute."""

FADE = 0.3
"""Time that a dance takes to fade in from the neutral posture, and to fade out to it, s. Dances start and end in
mid-swing."""

_LIBRARY = "reachy_mini_dances_library"
_ALIAS = "_reachy_agent_ros_dances"


def dances() -> tuple[str, ...]:
    """Returns the names of all dances, in alphabetical order.

    Raises:
        AgentError: `UNKNOWN_MOVE` if the library is not installed.
    """
    return tuple(sorted(_collection()))


@cache
def dance(name: str) -> RecordedMove:
    """Returns a dance by name, adapted to the limits of the safety gate.

    Raises:
        AgentError: `UNKNOWN_MOVE`, with the known names.
    """
    return rehearsed(choreography(name), _entry(name)[2]["description"])


def choreography(name: str) -> Choreography:
    """Returns a dance by name in its original form.

    Raises:
        AgentError: The errors of `dance`.
    """
    step, arguments, about = _entry(name)
    return Choreography(step, arguments, about["default_duration_beats"])


class Choreography:
    """Dance in its original form, as offsets from the neutral posture.

    Args:
        step: Function of the library that takes the time in beats.
        arguments: Other arguments of `step`.
        beats: Duration, beats.
    """

    def __init__(self, step: Callable[..., Any], arguments: Mapping[str, Any], beats: float) -> None:
        self.duration = beats * BEAT
        self._step = step
        self._arguments = arguments

    def at(self, time: float) -> BodyPose:
        """Returns the posture at a time (s)."""
        moment = min(max(time, 0.0), self.duration)
        edge = min(1.0, moment / FADE, (self.duration - moment) / FADE)
        size = edge * edge * (3.0 - 2.0 * edge)
        offsets = self._step(moment / BEAT, **self._arguments)
        roll, pitch, yaw = size * np.asarray(offsets.orientation_offset)
        x, y, z = size * np.asarray(offsets.position_offset)
        right, left = size * np.asarray(offsets.antennas_offset)
        return BodyPose(head_transform(roll, pitch, yaw, x, y, z), float(right), float(left))


_Entry = tuple[Callable[..., Any], Mapping[str, Any], Mapping[str, Any]]


def _entry(name: str) -> _Entry:
    if name not in _collection():
        raise AgentError(ErrorCode.UNKNOWN_MOVE, f"Unknown dance {name!r}: expected one of {', '.join(dances())}.")
    return _collection()[name]


@cache
def _collection() -> Mapping[str, _Entry]:
    spec = find_spec(_LIBRARY)
    if spec is None or spec.submodule_search_locations is None:
        raise AgentError(ErrorCode.UNKNOWN_MOVE, f"{_LIBRARY} is not installed: run scripts/setup.")
    # The __init__ of the package imports reachy_mini and GStreamer, which no dance needs. With an empty package that
    # has another name and the same folder, its modules can import each other without them.
    package = ModuleType(_ALIAS)
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[_ALIAS] = package
    moves: Mapping[str, _Entry]
    moves = import_module(f"{_ALIAS}.collection.dance").AVAILABLE_MOVES
    return moves
