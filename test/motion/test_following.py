from reachy_agent_ros.core.pose import BodyPose, head_transform
from reachy_agent_ros.motion.following import PATIENCE, Following, furthest_miss

STILL = BodyPose()
TURNED = BodyPose(head_transform(yaw=0.5))


def test_detects_robot_that_does_not_move() -> None:
    following = Following(STILL, STILL)
    following.observe(STILL, TURNED, now=10.0)
    assert following.ignored(10.0 + PATIENCE / 2) is None
    assert following.ignored(10.0 + PATIENCE * 1.1) == "head.yaw"


def test_old_measurement_does_not_prove_that_command_is_ignored() -> None:
    following = Following(STILL, STILL)
    following.observe(STILL, TURNED, now=10.0)
    following.observe(STILL, TURNED, now=10.0 + PATIENCE)
    assert following.ignored(measured_at=10.0) is None


def test_robot_that_moves_late_counts_as_following() -> None:
    following = Following(STILL, STILL)
    following.observe(STILL, TURNED, now=10.0)
    following.observe(BodyPose(head_transform(yaw=0.1)), TURNED, now=10.5)
    assert following.ignored(20.0) is None


def test_motion_that_returns_to_start_counts_as_following() -> None:
    following = Following(STILL, STILL)
    following.observe(TURNED, TURNED, now=10.0)
    following.observe(STILL, STILL, now=11.0)
    assert following.ignored(20.0) is None


def test_check_reports_coordinate_with_largest_error() -> None:
    assert furthest_miss(TURNED, TURNED) is None
    miss = furthest_miss(STILL, TURNED)
    assert miss is not None
    assert miss[0] == "head.yaw"
