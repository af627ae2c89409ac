import numpy as np
import pytest

from reachy_agent_ros.core.pose import BodyPose
from reachy_agent_ros.motion.move import Sequence
from reachy_agent_ros.motion.pose_move import PoseMove
from reachy_agent_ros.robot.limiter import MotionState


def test_repeated_move_begins_at_end_of_first() -> None:
    first = PoseMove(MotionState(np.zeros(9), np.zeros(9)), BodyPose(body_yaw=1.0), 2.0)
    there = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0])
    both = Sequence(first, PoseMove(MotionState(there, np.zeros(9)), BodyPose(), 3.0))
    assert both.duration == 5.0
    yaws = [both.at(time).body_yaw for time in (0.0, 1.0, 2.0, 3.5, 5.0, 9.0)]
    assert yaws == pytest.approx([0.0, 0.5, 1.0, 0.5, 0.0, 0.0])
