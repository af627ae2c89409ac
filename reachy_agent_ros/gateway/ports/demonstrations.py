"""What people show the robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Moment:
    """A posture at a moment of what is shown.

    Attributes:
        time: s from its beginning.
        head: Position, m, and roll, pitch and yaw, rad, in `head_base`.
        antennas: Right and left, rad.
        body_yaw: rad.
    """

    time: float
    head: tuple[float, float, float, float, float, float]
    antennas: tuple[float, float]
    body_yaw: float


@dataclass(frozen=True)
class Shown:
    """One demonstration.

    Attributes:
        demo_id: Of it.
        skill: What is shown.
        prompt: In words.
        method: "hand" or "teleoperation".
        person: Who shows it, empty if unknown.
        began: s since the epoch.
        duration: s, None while it is recorded.
        samples: Messages in it, None likewise.
        rate: Postures a second, None likewise.
        cut: Whether its end is missing.
        origin: What it was made from, empty where it was recorded.
    """

    demo_id: str
    skill: str
    prompt: str
    method: str
    person: str
    began: float
    duration: float | None
    samples: int | None
    rate: float | None
    cut: bool
    origin: str


class Demonstrations(Protocol):
    """Takes, records and lists demonstrations. All raise `AgentError`."""

    async def add(self, skill: str, prompt: str, person: str, moments: Sequence[Moment]) -> Shown:
        """Keeps what a program shows: on disk when this returns.

        Args:
            skill: What is shown; empty: named after the prompt.
            prompt: In words.
            person: Who.
            moments: In the order of time; the body moves straight from one to the next.
        """
        ...

    async def record(self, skill: str, prompt: str, method: str, duration: float) -> None:
        """Begins a recording and returns when it goes on.

        Args:
            skill: What is shown.
            prompt: In words.
            method: "hand" or "teleoperation".
            duration: s at most; 0: until `finish`, five minutes at most.
        """
        ...

    async def finish(self) -> Shown:
        """Ends the recording; it stays. `NOT_FOUND` where none goes on."""
        ...

    async def listed(self, skill: str) -> Sequence[Shown]:
        """All of them, newest first.

        Args:
            skill: Only of this one; empty: of all.
        """
        ...
