"""Workspace: postures that the arms reach without contact between head and shell, and away from singularities.

Near a singularity of its platform, the head sinks under its own weight: an error of one degree in a joint moves the
head by many degrees, and a move from such a posture may start with a jolt. Therefore, the workspace excludes these
postures.
"""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector
from reachy_agent_ros.robot.coordinates import ANGLES, BODY_YAW, HEAD_YAW, TRANSLATION, coordinates
from reachy_agent_ros.robot.head_clearance import HeadClearance
from reachy_agent_ros.robot.kinematics import LOWER_LIMITS, MAX_RELATIVE_YAW, ROUNDING, UPPER_LIMITS, BodyKinematics
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.stewart_platform import HeldHeads, StewartPlatform

LEAST_CLEARANCE = 0.0004
"""Distance that every command keeps from the shell, with the exceptions in `SafetyGate`, m: the error of the distance
table."""

CLEARANCE = 0.0007
"""Distance that planned postures keep from the shell, m, so that braking from anywhere keeps `LEAST_CLEARANCE`.

Each additional 0.1 mm would exclude another 1 % of the free postures.
"""

INSET = math.radians(0.5)
"""Distance that planned postures keep from the limits of the arms, rad, for the same reason."""

MOST_SAG = math.radians(1.75)
"""Maximum first-order rotation of the head under its own weight, rad.

With this limit, the head settles within 2.5 deg of its command in simulation: `scripts/chaos postures`.
"""

_ALWAYS_INSIDE = np.array([0.004, 0.004, 0.0055, math.radians(8.0), math.radians(8.0), math.radians(10.0)])
"""Deviations of the head from neutral that keep 2 mm of clearance in any combination, which makes a check very
cheap."""

_BISECTIONS = 10

_LOWEST_ARMS, _HIGHEST_ARMS = LOWER_LIMITS[1:] - ROUNDING, UPPER_LIMITS[1:] + ROUNDING


class Workspace:
    """Set of permitted postures, without state between calls. Use from one thread.

    Args:
        clearance: Minimum distance between head and shell, m; minus infinity if only the reach of the arms counts.
        inset: Minimum distance of the arms from their limits, rad.
        most_sag: Maximum rotation of the head under its own weight, rad; infinity to ignore it.
    """

    def __init__(self, clearance: float = CLEARANCE, inset: float = INSET, most_sag: float = MOST_SAG) -> None:
        self._kinematics = BodyKinematics()
        self._platform = StewartPlatform()
        self._head = HeadClearance()
        self._clearance = clearance
        self._most_sag = most_sag
        self._low, self._high = _LOWEST_ARMS + inset, _HIGHEST_ARMS - inset
        self._inset = inset

    @classmethod
    def outermost(cls) -> Workspace:
        """Returns the workspace without the margins for planned postures. Commands leave it only as in `SafetyGate`."""
        return cls(LEAST_CLEARANCE, inset=0.0, most_sag=math.inf)

    @classmethod
    def reach(cls) -> Workspace:
        """Returns all postures that the arms reach, even if the head touches the shell or sinks."""
        return cls(-math.inf, inset=0.0, most_sag=math.inf)

    def require(self, pose: BodyPose) -> None:
        """Checks that a posture is in the workspace.

        Raises:
            AgentError: `NOT_FINITE`; `UNREACHABLE`, with the reason.
        """
        self._kinematics.inverse(pose, self._inset)
        distance = self.clearance(coordinates(pose))
        if distance < self._clearance:
            message = (
                f"The head would be {1e3 * (self._clearance - distance):.1f} mm too close to the body: "
                "choose a higher head position, or a smaller shift or tilt."
            )
            raise AgentError(ErrorCode.UNREACHABLE, message)
        sag = self.sag(coordinates(pose))
        if sag > self._most_sag:
            message = (
                f"The head would sink under its own weight by {math.degrees(sag):.1f} deg or more: "
                "choose a smaller tilt, turn or shift."
            )
            raise AgentError(ErrorCode.UNREACHABLE, message)

    def contains(self, pose: BodyPose) -> bool:
        """Returns whether a posture is inside the workspace."""
        return self.holds(coordinates(pose))

    def holds(self, values: Vector) -> bool:
        """Returns whether a posture is inside the workspace. `values` contains its nine coordinates."""
        if self.surely_holds(values, values):
            return True
        return self.holds_all(values[None])

    def holds_all(self, rows: Matrix) -> bool:
        """Returns whether all postures are inside the workspace. Each row contains the coordinates of one posture."""
        heads = _transforms(rows)
        if not self._carries(rows, heads):
            return False
        return self._clearance == -math.inf or self._head.clears(heads[:, :3, :3], heads[:, :3, 3], self._clearance)

    def _carries(self, rows: Matrix, heads: Matrix) -> bool:
        """Returns whether the arms and the neck reach every posture, and the head does not sink. Ignores the shell."""
        held = self._platform.hold(heads)
        if not self._reaches(rows, held):
            return False
        return self._most_sag == math.inf or bool((self._platform.sag(held) <= self._most_sag).all())

    def _reaches(self, rows: Matrix, held: HeldHeads) -> bool:
        """Returns whether the arms and the neck reach every posture."""
        if not (np.abs(rows[:, HEAD_YAW]) <= MAX_RELATIVE_YAW + ROUNDING).all():
            return False
        # A comparison with NaN, which stands for a missing solution, is false.
        return bool(((held.arms >= self._low) & (held.arms <= self._high)).all())

    def sag(self, values: Vector) -> float:
        """Returns the first-order angle (rad) by which the head turns under its own weight.

        The angle is NaN if the arms cannot reach the posture.
        """
        return float(self._platform.sag(self._platform.hold(_transforms(values[None])))[0])

    def clearance(self, values: Vector) -> float:
        """Returns the distance (m) between the head and the shell, which is negative if they overlap."""
        return self._head.distance(_transforms(values[None])[0])

    def surely_holds(self, first: Vector, second: Vector) -> bool:
        """Quickly checks whether all postures between two postures are inside the workspace.

        The result may be False even if all postures are inside.
        """
        furthest = np.maximum(np.abs(first[:BODY_YAW]), np.abs(second[:BODY_YAW]))
        return bool((furthest <= _ALWAYS_INSIDE).all())

    def last_inside(self, inside: Vector, wanted: Vector) -> Vector:
        """Returns the last posture inside the workspace on the straight path to another posture. Uses bisection.

        Args:
            inside: Coordinates of a posture inside.
            wanted: Coordinates of the goal; returned unchanged if they are inside.
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

    def turned_less(self, values: Vector, *angles: slice) -> Vector:
        """Reduces some angles of the head until the posture is inside the workspace.

        Args:
            values: Coordinates of the posture; returned unchanged if they are inside, if the arms cannot reach them, or
                if no reduction of these angles helps.
            angles: Groups of coordinates to reduce. The first group that helps is reduced.
        """
        if self.holds(values) or not self._reaches(values[None], self._platform.hold(_transforms(values[None]))):
            return values
        for some in angles:
            straight = values.copy()
            straight[some] = 0.0
            if self.holds(straight):
                return self.last_inside(straight, values)
        return values

    def nearest(self, values: Vector) -> Vector:
        """Clips coordinates to the limits. Moves a head outside the workspace towards neutral until it is inside.

        Body and antennas are only clipped, because any value within their limits is inside.
        """
        bounded = np.clip(values, LOW, HIGH)
        neutral = bounded.copy()
        neutral[:BODY_YAW] = 0.0
        return self.last_inside(neutral, bounded)


def _transforms(rows: Matrix) -> Matrix:
    """Returns the poses of heads as 4x4 transforms, shape (n, 4, 4), in the frame of the turned body.

    The calculation is the same as in `core.pose.head_transform`.
    """
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
