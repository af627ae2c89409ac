"""Target for the safety gate.

For any goal, measurement and period, the commands must stay within the limits.
"""

from __future__ import annotations

import math
import random
import struct
from contextlib import suppress

import numpy as np

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.gate import LONGEST_STEP, SafetyGate
from reachy_agent_ros.robot.pose_limits import HIGH, LOW, SPEED
from reachy_agent_ros.robot.target_validation import Target

_STEPS = 12
"""Number of steps per case. A step has 19 numbers each for the goal and the measurement, and the period in s."""

_NUMBERS = 19 + 19 + 1
_ROUNDING = 1e-9

_EDGES = (0.0, -0.0, 1e-320, 1e300, -1e300, math.inf, -math.inf, math.nan, math.pi, -math.pi, 0.01, -1.0, 1.0)


class MotionTargets:
    """Target that runs each case on a new safety gate."""

    def case(self, chance: random.Random) -> bytes:
        """Returns a series of goals, measurements and periods as doubles.

        Most values are plausible; some are boundary values.
        """
        numbers: list[float] = []
        for _ in range(_STEPS):
            wild = chance.choice((0.0, 0.05, 0.5))
            row = [*_pose(1.5, chance), *_pose(1.0, chance), chance.choice((0.01, 0.01, 0.001, 1.0))]
            numbers += [chance.choice(_EDGES) if chance.random() < wild else one for one in row]
        return struct.pack(f"<{len(numbers)}d", *numbers)

    def take(self, data: bytes) -> None:
        """Validates each goal and then moves toward it, even if it was rejected. Checks the limits."""
        rows = np.frombuffer(data, dtype="<f8").reshape(-1, _NUMBERS)
        gate, command = SafetyGate(), BodyPose()
        gate.reset(command)
        for row in rows:
            wanted, measured, late = _body(row[:19]), _body(row[19:38]), float(row[38])
            with suppress(AgentError):
                target = Target(wanted.head, (wanted.antenna_right, wanted.antenna_left), wanted.body_yaw)
                _require_within(coordinates(gate.admit(target, command).pose))
            before, command = coordinates(command), gate.step(wanted, measured, late)
            _require_within(coordinates(command))
            most = SPEED * min(max(late, 0.0), LONGEST_STEP) if math.isfinite(late) else np.zeros(9)
            too_fast = np.abs(coordinates(command) - before) > most + _ROUNDING
            assert not too_fast.any(), f"faster than allowed: {command}"


_BOUNDS = list(zip(LOW.tolist(), HIGH.tolist(), strict=True))


def _pose(times: float, chance: random.Random) -> list[float]:
    """Returns the 19 numbers of a random posture. `times` scales the limits of the coordinates."""
    pose = posture(np.array([times * chance.uniform(low, high) for low, high in _BOUNDS]))
    return [*pose.head.flat, pose.antenna_right, pose.antenna_left, pose.body_yaw]


def _body(numbers: Vector) -> BodyPose:
    right, left, yaw = map(float, numbers[16:])
    return BodyPose(numbers[:16].reshape(4, 4), right, left, yaw)


def _require_within(values: Vector) -> None:
    within = np.isfinite(values).all() and (values >= LOW - _ROUNDING).all() and (values <= HIGH + _ROUNDING).all()
    assert within, f"outside the envelope: {values}"
