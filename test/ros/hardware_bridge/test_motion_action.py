"""Gestures and recorded moves through the motion action, on the simulated robot."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from reachy_agent_msgs.action import ExecuteMotion

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import head_transform, rpy_from_matrix
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.ros.rclpy_ext.convert import transform_from_pose
from support.nodes.bridge_client import BridgeClient, head_goal
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import wait_until


@pytest.fixture(scope="module")
def moves(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("moves")


@pytest.fixture(scope="module")
def bridge(ros: Ros, moves: Path) -> Iterator[BridgeClient]:
    with NodeProcess("hardware_bridge", {"moves_directory": str(moves)}) as process:
        process.wait_ready()
        yield BridgeClient(ros)
        assert process.stop() == 0


def named(kind: int, name: str) -> ExecuteMotion.Goal:
    return ExecuteMotion.Goal(kind=kind, name=name, commander="test")


def gesture(name: str) -> ExecuteMotion.Goal:
    return named(ExecuteMotion.Goal.GESTURE, name)


def queued(goal: ExecuteMotion.Goal) -> ExecuteMotion.Goal:
    goal.queued = True
    return goal


def angles(message: ExecuteMotion.Result | ExecuteMotion.Feedback) -> tuple[float, float, float]:
    return rpy_from_matrix(transform_from_pose(message.head_pose))


def test_nod_keeps_previous_gaze_direction(bridge: BridgeClient) -> None:
    assert bridge.execute(head_goal(0.6)).error_code == ErrorCode.NONE
    seen: list[ExecuteMotion.Feedback] = []
    result = bridge.execute(gesture("nod"), seen.append)
    assert (result.error_code, result.error_msg, list(result.clamped)) == (ErrorCode.NONE, "", [])
    pitches, yaws = np.array([angles(feedback)[1:] for feedback in seen]).T
    assert pitches.max() > 0.15
    assert np.abs(yaws - 0.6).max() < 0.12
    assert angles(result)[1:] == pytest.approx((0.0, 0.6), abs=0.08)


def test_robot_goes_to_sleep_and_wakes_up(bridge: BridgeClient) -> None:
    asleep = bridge.execute(gesture("go_to_sleep"))
    assert asleep.error_code == ErrorCode.NONE
    assert asleep.head_pose.position.z == pytest.approx(sleep_posture().head[2, 3], abs=0.01)
    assert asleep.antenna_left == pytest.approx(sleep_posture().antenna_left, abs=0.1)
    awake = bridge.execute(gesture("wake_up"))
    assert awake.error_code == ErrorCode.NONE
    assert angles(awake) == pytest.approx((0.0, 0.0, 0.0), abs=0.08)


def test_bridge_reads_file_of_recorded_move_when_move_is_played(bridge: BridgeClient, moves: Path) -> None:
    unknown = bridge.execute(named(ExecuteMotion.Goal.RECORDED, "bow"))
    assert unknown.error_code == ErrorCode.UNKNOWN_MOVE
    frames = [{"head": head_transform(pitch=pitch).tolist(), "antennas": [0, 0], "body_yaw": 0} for pitch in (0.0, 0.3)]
    (moves / "bow.json").write_text(json.dumps({"description": "", "time": [0, 0.8], "set_target_data": frames}))
    result = bridge.execute(named(ExecuteMotion.Goal.RECORDED, "bow"))
    assert result.error_code == ErrorCode.NONE
    assert angles(result)[1] == pytest.approx(0.3, abs=0.08)


def test_bridge_rejects_invalid_file_of_recorded_move(bridge: BridgeClient, moves: Path) -> None:
    (moves / "poem.json").write_text('{"description": "a poem", "time": [0, 1]}')
    result = bridge.execute(named(ExecuteMotion.Goal.RECORDED, "poem"))
    assert result.error_code == ErrorCode.INVALID_GOAL
    assert "set_target_data" in result.error_msg


def test_bridge_plays_queued_motions_in_order(bridge: BridgeClient) -> None:
    order: list[str] = []
    ends = []
    for name, goal in (("left", head_goal(0.6, 5.0)), ("nod", gesture("nod")), ("right", head_goal(-0.6))):
        ends.append(bridge.begin(queued(goal)))
        ends[-1].add_done_callback(lambda _end, name=name: order.append(name))
        wait_until(lambda: bridge.state().commander == "test", "the first to begin")
        wait_until(lambda: bridge.state().queued_motions == len(ends) - 1, f"{name} to be accepted")
    assert [end.result().error_code for end in ends] == [ErrorCode.NONE] * 3
    assert order == ["left", "nod", "right"]
    # The robot nodded at the goal, not on the way to it.
    assert angles(ends[1].result())[2] == pytest.approx(0.6, abs=0.1)


def test_bridge_queues_motion_of_another_commander(bridge: BridgeClient) -> None:
    first = bridge.begin(head_goal(0.5, 1.5))
    wait_until(lambda: bridge.state().commander == "test", "the first to begin")
    second = queued(head_goal(-0.5))
    second.commander = "somebody_else"
    assert bridge.begin(second).result().error_code == ErrorCode.NONE
    assert first.result().error_code == ErrorCode.NONE


@pytest.mark.parametrize(
    ("trigger", "code"),
    [(names.HOLD, ErrorCode.CANCELED), (names.EMERGENCY_STOP, ErrorCode.EMERGENCY_STOPPED)],
)
def test_hold_and_stop_clear_motion_queue(bridge: BridgeClient, trigger: str, code: ErrorCode) -> None:
    running = bridge.begin(head_goal(0.6 if bridge.yaw() < 0 else -0.6, 8.0))
    wait_until(lambda: bridge.state().commander == "test", "the first to begin")
    waiting = [bridge.begin(queued(gesture("nod"))) for _ in range(2)]
    wait_until(lambda: bridge.state().queued_motions == 2, "both to wait")
    bridge.trigger(trigger)
    assert [end.result().error_code for end in (running, *waiting)] == [code] * 3
    bridge.trigger(names.RESET_EMERGENCY_STOP)


def test_held_motion_continues_on_request(bridge: BridgeClient) -> None:
    goal = 0.6 if bridge.yaw() < 0 else -0.6
    running = bridge.begin(head_goal(goal, 4.0))
    wait_until(lambda: bridge.state().commander == "test", "the motion to begin")
    bridge.wait_for_motion()
    bridge.trigger(names.HOLD)
    assert running.result().error_code == ErrorCode.CANCELED
    rest = ExecuteMotion.Goal(kind=ExecuteMotion.Goal.CONTINUE, commander="test")
    result = bridge.execute(rest)
    assert (result.error_code, result.error_msg) == (ErrorCode.NONE, "")
    assert angles(result)[2] == pytest.approx(goal, abs=0.1)
    assert bridge.execute(rest).error_code == ErrorCode.NOT_FOUND


def test_next_queued_motion_starts_only_when_running_motion_is_cancelled(bridge: BridgeClient) -> None:
    cancels = [CancelToken(), CancelToken()]
    running = bridge.begin(head_goal(0.6 if bridge.yaw() < 0 else -0.6, 8.0), cancels[0])
    wait_until(lambda: bridge.state().commander == "test", "the first to begin")
    given_up = bridge.begin(queued(gesture("shake")), cancels[1])
    wait_until(lambda: bridge.state().queued_motions == 1, "the second to wait")
    last = bridge.begin(queued(head_goal(0.0)))
    wait_until(lambda: bridge.state().queued_motions == 2, "the last to wait")
    cancels[1].cancel()
    assert given_up.result().error_code == ErrorCode.CANCELED
    assert not running.done()
    cancels[0].cancel()
    assert running.result().error_code == ErrorCode.CANCELED
    assert last.result().error_code == ErrorCode.NONE


def test_bridge_rejects_motion_if_queue_is_full(bridge: BridgeClient) -> None:
    running = bridge.begin(head_goal(0.6 if bridge.yaw() < 0 else -0.6, 8.0))
    wait_until(lambda: bridge.state().commander == "test", "the first to begin")
    waiting = [bridge.begin(queued(gesture("nod"))) for _ in range(9)]
    wait_until(lambda: any(end.done() for end in waiting), "one too many")
    refused = next(end for end in waiting if end.done()).result()
    assert refused.error_code == ErrorCode.COMMANDER_BUSY
    bridge.trigger(names.HOLD)
    assert running.result().error_code == ErrorCode.CANCELED
