from __future__ import annotations

from reachy_agent_ros.learning.correction.reference_resolution import Viewpoint, as_the_robot_sees
from reachy_agent_ros.learning.correction.skills.look_at_object import LOOK_AT_OBJECT
from reachy_agent_ros.learning.score import Axis, Score, Sign


def heard(axis: Axis, viewpoint: Viewpoint) -> Axis:
    return as_the_robot_sees(Score(Sign.NEGATIVE, -0.3, 0.9, (axis,)), viewpoint).axes[0]


def test_left_is_the_robots_own_left_which_is_positive_yaw() -> None:
    axis = heard(Axis.YAW_LEFT, Viewpoint.ROBOT)
    assert LOOK_AT_OBJECT.direction(axis).tolist() == [0.0, 1.0]


def test_left_of_somebody_who_faces_the_robot_is_its_right() -> None:
    axis = heard(Axis.YAW_LEFT, Viewpoint.ACROSS)
    assert LOOK_AT_OBJECT.direction(axis).tolist() == [0.0, -1.0]
    assert heard(Axis.ROLL_RIGHT, Viewpoint.ACROSS) is Axis.ROLL_LEFT


def test_what_is_neither_left_nor_right_is_the_same_for_everybody() -> None:
    sided = {Axis.YAW_LEFT, Axis.YAW_RIGHT, Axis.ROLL_LEFT, Axis.ROLL_RIGHT}
    assert all(heard(axis, Viewpoint.ACROSS) is axis for axis in set(Axis) - sided)
