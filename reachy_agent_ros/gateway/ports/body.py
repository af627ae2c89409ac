"""The robot's body."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class BodyState:
    """What was measured last.

    Attributes:
        stamp: When, s since the epoch.
        head_pose: 16 numbers, 4x4 transform of `head` in `head_base` by rows, m.
        body_yaw: rad, positive to the left.
        antennas: Right and left, rad.
        activity: "idle", "moving", "streaming", "holding" or "stopped".
        motors: "enabled", "disabled" or "gravity_compensation".
        connected: Whether the robot answers.
        simulated: Whether no real motor can turn.
        emergency_stopped: Whether it must be reset before it moves again.
        stop_reason: Why, empty otherwise.
        commander: Node that holds the robot, empty when nobody does.
    """

    stamp: float
    head_pose: tuple[float, ...]
    body_yaw: float
    antennas: tuple[float, float]
    activity: str
    motors: str
    connected: bool
    simulated: bool
    emergency_stopped: bool
    stop_reason: str
    commander: str


class Body(Protocol):
    """State and stop. All raise `AgentError`."""

    async def state(self) -> BodyState:
        """What is measured now."""
        ...

    async def stop(self) -> BodyState:
        """Stops everything that moves or speaks or is about to, and latches; returns what the robot itself confirms."""
        ...

    async def reset(self) -> BodyState:
        """Lets the robot move again."""
        ...
