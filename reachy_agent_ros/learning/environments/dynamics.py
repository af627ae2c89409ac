"""What moves when a task is tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from reachy_agent_ros.learning.environments.variation import Variation


class Dynamics(Protocol):
    """A body between the safety gate and its sensors, on a clock of its own. One thread uses it.

    Attributes:
        measured: Where it is: the nine numbers of `coordinates.NAMES`, m and rad. Read only.
    """

    measured: list[float]

    def reset(self, variation: Variation) -> None:
        """Puts it at rest at its neutral posture, as the robot that is described."""
        ...

    def step(self, goal: Sequence[float]) -> bool:
        """Pursues a posture for one `channel.PERIOD`.

        Args:
            goal: Nine finite numbers as for `measured`, not necessarily within the envelope.

        Returns:
            Whether the gate held it back because the arms do not reach there.
        """
        ...

    def push(self, pitch: float, yaw: float) -> None:
        """Puts a torque on the head about the room's y and z axes from now on, N m."""
        ...

    def joints(self) -> Mapping[str, float]:
        """Position of every joint of the URDF, rad, to draw it by."""
        ...
