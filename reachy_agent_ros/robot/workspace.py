"""Which postures the robot may take: where the arms reach and the head keeps clear of the body's shell."""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector
from reachy_agent_ros.robot.coordinates import BODY_YAW, HEAD_YAW, TILT, TRANSLATION, coordinates
from reachy_agent_ros.robot.envelope import HIGH, LOW
from reachy_agent_ros.robot.head_clearance import HeadClearance
from reachy_agent_ros.robot.kinematics import MAX_RELATIVE_YAW, BodyKinematics

LEAST_CLEARANCE = 0.0004
"""Distance, m, that the head always keeps from the shell: what the table errs by."""

CLEARANCE = 0.0007
"""m that whatever is planned keeps, so that braking from anywhere keeps `LEAST_CLEARANCE`.

Each further 0.1 mm would cost one in a hundred of the postures that are free.
"""

INSET = math.radians(0.5)
"""rad that planned postures keep from the limits of the arms, for the same reason."""

_ALWAYS_INSIDE = np.array([0.004, 0.004, 0.004, math.radians(8.0), math.radians(8.0), math.radians(10.0)])
"""Deviations of the head from neutral that leave 2 mm whatever the others are. They cost almost nothing to test."""

_BISECTIONS = 10

_ROUNDING = 1e-6
"""Slack, rad, as that of the kinematics."""

ANGLES = slice(3, 6)
"""Of the head, in coordinates."""


class Workspace:
    """Keeps no state between calls. Use from one thread.

    Args:
        clearance: Distance, m, between head and shell; minus infinity if only the arms' reach counts.
        inset: Distance, rad, from the limits of the arms.
    """

    def __init__(self, clearance: float = CLEARANCE, inset: float = INSET) -> None:
        self._kinematics = BodyKinematics()
        self._head = HeadClearance()
        self._clearance = clearance
        self._inset = inset

    def require(self, pose: BodyPose) -> None:
        """Refuses a posture outside of the workspace.

        Raises:
            AgentError: `NOT_FINITE`; `UNREACHABLE`, and what is in the way.
        """
        self._kinematics.inverse(pose, self._inset)
        distance = self.clearance(coordinates(pose))
        if distance < self._clearance:
            message = (
                f"The head would touch the body, by {1e3 * (self._clearance - distance):.1f} mm: "
                "choose a higher head, or a smaller shift or tilt."
            )
            raise AgentError(ErrorCode.UNREACHABLE, message)

    def contains(self, pose: BodyPose) -> bool:
        """Whether a posture is inside."""
        return self.holds(coordinates(pose))

    def holds(self, values: Vector) -> bool:
        """Whether the posture with these coordinates is inside."""
        if self.surely_holds(values, values):
            return True
        return self.holds_all(values[None])

    def holds_all(self, rows: Matrix) -> bool:
        """Whether every posture is inside; each row holds the coordinates of one."""
        heads = _transforms(rows)
        if not self._reaches(rows[-1:], heads[-1:]):  # the last decides most often: it is where a head comes to rest
            return False
        if self._clearance > -math.inf and not self._head.clears(heads[:, :3, :3], heads[:, :3, 3], self._clearance):
            return False
        return self._reaches(rows[:-1], heads[:-1])

    def _reaches(self, rows: Matrix, heads: Matrix) -> bool:
        """Whether the arms and the neck reach every posture, wherever the shell is."""
        near = (np.abs(rows[:, HEAD_YAW]) <= MAX_RELATIVE_YAW + _ROUNDING).all()
        return bool(near) and self._kinematics.reaches_all(heads, self._inset)

    def clearance(self, values: Vector) -> float:
        """Distance of the head from the shell, m; negative where they overlap."""
        return self._head.distance(_transforms(values[None])[0])

    def surely_holds(self, first: Vector, second: Vector) -> bool:
        """Whether whatever is between two postures, in any combination of coordinates, is known to be inside."""
        furthest = np.maximum(np.abs(first[:BODY_YAW]), np.abs(second[:BODY_YAW]))
        return bool((furthest <= _ALWAYS_INSIDE).all())

    def last_inside(self, inside: Vector, wanted: Vector) -> Vector:
        """The last posture inside on the straight way from one that is to another, found by bisection.

        Args:
            inside: Coordinates of a posture inside.
            wanted: Coordinates of the one that is wished for; returned as they are where they are inside.
        """
        if self.holds(wanted):
            return wanted
        reached, beyond = 0.0, 1.0
        for _ in range(_BISECTIONS):
            middle = (reached + beyond) / 2.0
            if self.holds(inside + middle * (wanted - inside)):
                reached = middle
            else:
                beyond = middle
        return np.asarray(inside + reached * (wanted - inside))

    def tilted_less(self, values: Vector) -> Vector:
        """The posture with the largest share of its roll and pitch in which the head keeps clear of the shell.

        Args:
            values: Coordinates of the posture; returned as they are if the shell is not in the way, or if the arms do
                not reach there, or if even an upright head would touch it.
        """
        upright = values.copy()
        upright[TILT] = 0.0
        if self.holds(values) or not self._reaches(values[None], _transforms(values[None])) or not self.holds(upright):
            return values
        return self.last_inside(upright, values)

    def nearest(self, values: Vector) -> Vector:
        """These coordinates within the limits; a head that is outside moves towards neutral until it is inside.

        Body and antennas are only clipped: wherever they are within their limits, they are inside.
        """
        bounded = np.clip(values, LOW, HIGH)
        neutral = bounded.copy()
        neutral[:BODY_YAW] = 0.0
        return self.last_inside(neutral, bounded)


def _transforms(rows: Matrix) -> Matrix:
    """Transforms of heads in the frame of the turned body, as `core.pose.head_transform`, shape (n, 4, 4)."""
    (cos_roll, cos_pitch, cos_yaw), (sin_roll, sin_pitch, sin_yaw) = (
        np.cos(rows[:, ANGLES]).T,
        np.sin(rows[:, ANGLES]).T,
    )
    cos_both, sin_both = cos_yaw * sin_pitch, sin_yaw * sin_pitch
    heads = np.zeros((len(rows), 4, 4))
    heads[:, 0, 0], heads[:, 1, 0], heads[:, 2, 0] = cos_yaw * cos_pitch, sin_yaw * cos_pitch, -sin_pitch
    heads[:, 0, 1], heads[:, 0, 2] = cos_both * sin_roll - sin_yaw * cos_roll, cos_both * cos_roll + sin_yaw * sin_roll
    heads[:, 1, 1], heads[:, 1, 2] = sin_both * sin_roll + cos_yaw * cos_roll, sin_both * cos_roll - cos_yaw * sin_roll
    heads[:, 2, 1], heads[:, 2, 2] = cos_pitch * sin_roll, cos_pitch * cos_roll
    heads[:, :3, 3], heads[:, 3, 3] = rows[:, TRANSLATION], 1.0
    return heads
