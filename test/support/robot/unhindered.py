"""Assertion that the safety gate does not change a recorded move."""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.gate import SafetyGate
from reachy_agent_ros.robot.limiter import approach
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from reachy_agent_ros.robot.workspace import Workspace

STEP = 0.01


def assert_unhindered(move: Move, start: BodyPose | None = None) -> None:
    """Asserts that all samples of a move are within the workspace and the limits, and pass the gate unchanged.

    Args:
        move: Move to sample at the rate of the motion loop.
        start: Initial posture of the ideal robot; None for the beginning of the move.
    """
    poses = [move.at(time) for time in np.arange(0.0, move.duration + 0.5, STEP)]
    values = np.array([coordinates(pose) for pose in poses])
    assert ((values >= LOW) & (values <= HIGH)).all()
    assert all(map(Workspace().contains, poses))
    assert (np.abs(np.diff(values, axis=0)) / STEP <= SPEED).all()
    assert (np.abs(np.diff(values, 2, axis=0)) / STEP**2 <= ACCELERATION).all()
    gate, command = SafetyGate(), start or poses[0]
    gate.reset(command)
    for row in values:
        free = approach(gate.state, row, STEP)
        command = gate.step(posture(row), command, STEP)
        assert np.allclose(gate.state.position, free.position)
