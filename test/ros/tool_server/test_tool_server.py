from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from geometry_msgs.msg import Point, PointStamped
from jsonschema import Draft202012Validator
from reachy_agent_msgs.action import Dance, ExpressEmotion, LookAt, MoveHead, RotateBody, SetAntennas
from reachy_agent_msgs.msg import ToolCatalogue
from reachy_agent_msgs.srv import ListTools
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.nodes.tool_client import NEAR, ToolClient
from support.waiting import wait_until


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("photos")


@pytest.fixture(scope="module")
def graph(ros: Ros, photos: Path) -> Iterator[ToolClient]:
    with (
        NodeProcess("hardware_bridge", {"scene": "minimal"}) as bridge,
        NodeProcess("camera", {"scene": "minimal"}) as camera,
        NodeProcess("tool_server", {"photo_directory": str(photos)}) as server,
    ):
        for node in (bridge, camera, server):
            node.wait_ready()
        client = ToolClient(ros)
        client.wait_joined()
        yield client
        for node in (server, camera, bridge):
            assert node.stop() == 0


def test_tool_catalog_topic_and_service_return_same_tools(graph: ToolClient, ros: Ros) -> None:
    catalogues: list[ToolCatalogue] = []
    subscription = ros.node.create_subscription(ToolCatalogue, names.TOOLS, catalogues.append, LATCHED)
    wait_until(lambda: bool(catalogues))
    listed = ServiceCaller(ros.node, ListTools, names.LIST_TOOLS, graph.server).call(ListTools.Request())
    ros.node.destroy_subscription(subscription)
    assert [tool.name for tool in listed.tools] == [tool.name for tool in catalogues[0].tools]
    for tool in listed.tools:
        Draft202012Validator.check_schema(json.loads(tool.arguments_schema))
        assert tool.enabled
        assert tool.description


def test_get_robot_state_tool_returns_measured_state(graph: ToolClient) -> None:
    graph.at_rest_facing(20.0)
    state = graph.result("get_robot_state")
    assert state["head"]["yaw_deg"] == pytest.approx(graph.yaw(), abs=1.0)
    assert (state["connected"], state["simulated"], state["activity"]) == (True, True, "idle")


@pytest.mark.parametrize(
    ("name", "arguments_json", "code", "hint"),
    [
        ("move_hed", "{}", ErrorCode.UNKNOWN_TOOL, "did you mean move_head"),
        ("move_head", "{bad", ErrorCode.INVALID_ARGUMENTS, "one JSON object"),
        ("move_head", '{"yaw_deg": NaN}', ErrorCode.INVALID_ARGUMENTS, "finite"),
        ("move_head", '{"pitch_deg": 41}', ErrorCode.INVALID_ARGUMENTS, "less than or equal to 40"),
        ("look_at", '{"x_m": -1, "y_m": 0, "z_m": 0}', ErrorCode.INVALID_ARGUMENTS, "x_m"),
        ("dance", '{"dance": "polka"}', ErrorCode.INVALID_ARGUMENTS, "yeah_nod"),
        ("speak", '{"text": "Hello."}', ErrorCode.SERVER_UNAVAILABLE, "tts"),
    ],
)
def test_invalid_tool_call_returns_specific_error(
    graph: ToolClient, name: str, arguments_json: str, code: ErrorCode, hint: str
) -> None:
    answer = graph.run(name, arguments_json)
    assert answer.error_code == code
    assert hint in answer.error_msg
    assert answer.result_json == "{}"


def test_robot_holds_measured_pose_after_cancelled_motion(graph: ToolClient) -> None:
    graph.at_rest_facing(0.0)
    cancel = CancelToken()
    call = graph.start("move_head", cancel, yaw_deg=50.0, duration_s=3.0)
    wait_until(lambda: graph.yaw() > 10.0, "the head to be on its way")
    cancel.cancel()
    assert call.result().error_code == ErrorCode.CANCELED
    wait_until(lambda: not graph.moving())
    held = graph.yaw()
    assert 10.0 < held < 45.0
    graph.result("get_robot_state")
    assert graph.yaw() == pytest.approx(held, abs=NEAR)


def test_stop_tool_ends_running_motion(graph: ToolClient) -> None:
    graph.at_rest_facing(0.0)
    call = graph.start("move_head", yaw_deg=50.0, duration_s=3.0)
    wait_until(graph.moving)
    graph.result("stop")
    assert call.result().error_code != ErrorCode.NONE
    assert not graph.moving()
    assert graph.yaw() < 45.0


def test_motion_tool_fails_at_its_time_limit(graph: ToolClient) -> None:
    graph.at_rest_facing(0.0)
    answer = graph.run("move_head", '{"yaw_deg": 50, "duration_s": 5}', time_allowance=0.3)
    assert answer.error_code == ErrorCode.TIMEOUT
    wait_until(lambda: not graph.moving())
    assert graph.yaw() < 45.0


def test_newer_motion_preempts_older_motion(graph: ToolClient) -> None:
    graph.at_rest_facing(0.0)
    older = graph.start("move_head", yaw_deg=50.0, duration_s=5.0)
    wait_until(graph.moving)
    newer = graph.result("move_head", yaw_deg=-20.0)
    answer = older.result()
    assert answer.error_code == ErrorCode.PREEMPTED
    assert answer.error_msg
    assert newer["measured"]["head"]["yaw_deg"] < 0.0


def test_tools_without_motion_run_during_motion(graph: ToolClient) -> None:
    graph.at_rest_facing(0.0)
    move = graph.start("move_head", yaw_deg=30.0, duration_s=2.0)
    wait_until(graph.moving)
    assert graph.result("get_robot_state")["activity"] == "moving"
    assert move.result().error_code == ErrorCode.NONE


def test_tool_server_responds_to_every_call_during_overload(graph: ToolClient) -> None:
    calls = [graph.start("move_head", yaw_deg=yaw / 2.0) for yaw in range(30)]
    codes = [call.result().error_code for call in calls]
    assert set(codes) <= {ErrorCode.NONE, ErrorCode.PREEMPTED, ErrorCode.SERVER_UNAVAILABLE}
    assert ErrorCode.NONE in codes


def test_typed_action_has_same_result_as_tool(graph: ToolClient) -> None:
    graph.at_rest_facing(0.0)
    by_name = graph.result("move_head", yaw_deg=30.0, pitch_deg=10.0)["measured"]["head"]
    graph.at_rest_facing(0.0)
    feedback: list[MoveHead.Feedback] = []
    goal = MoveHead.Goal(yaw=math.radians(30.0), pitch=math.radians(10.0), duration=duration_message(1.0))
    typed = graph.act(MoveHead, names.MOVE_HEAD, goal, on_feedback=feedback.append)
    assert typed.error_code == ErrorCode.NONE
    _, pitch, yaw = (math.degrees(angle) for angle in rpy_from_matrix(transform_from_pose(typed.head_pose)))
    assert (pitch, yaw) == pytest.approx((by_name["pitch_deg"], by_name["yaw_deg"]), abs=NEAR)
    assert feedback
    assert feedback[0].angle_remaining > 0.0


TYPED: list[tuple[Any, str, Any, Callable[[Any], float], float]] = [
    (RotateBody, names.ROTATE_BODY, RotateBody.Goal(yaw=0.5), lambda result: float(result.body_yaw), 0.5),
    (SetAntennas, names.SET_ANTENNAS, SetAntennas.Goal(right=0.4), lambda result: float(result.antenna_right), 0.4),
    (
        LookAt,
        names.LOOK_AT,
        LookAt.Goal(point=PointStamped(header=Header(frame_id="head_base"), point=Point(x=1.0, y=0.5, z=0.0))),
        lambda result: rpy_from_matrix(transform_from_pose(result.head_pose))[2],
        math.atan2(0.5, 1.0),
    ),
]


@pytest.mark.parametrize(("action_type", "name", "goal", "measure", "wanted"), TYPED)
def test_typed_action_moves_commanded_body_part(
    graph: ToolClient, action_type: Any, name: str, goal: Any, measure: Callable[[Any], float], wanted: float
) -> None:
    result = graph.act(action_type, name, goal)
    assert result.error_code == ErrorCode.NONE, result.error_msg
    assert measure(result) == pytest.approx(wanted, abs=math.radians(2 * NEAR))


def test_antenna_without_angle_keeps_its_angle(graph: ToolClient) -> None:
    assert graph.act(SetAntennas, names.SET_ANTENNAS, SetAntennas.Goal(right=0.4, left=0.0)).error_code == 0
    result = graph.act(SetAntennas, names.SET_ANTENNAS, SetAntennas.Goal(right=math.nan, left=-0.3))
    assert result.error_code == ErrorCode.NONE, result.error_msg
    assert (result.antenna_right, result.antenna_left) == pytest.approx((0.4, -0.3), abs=math.radians(2 * NEAR))


def test_typed_actions_play_emotion_and_dance(graph: ToolClient) -> None:
    assert graph.act(ExpressEmotion, names.EXPRESS_EMOTION, ExpressEmotion.Goal(emotion="joy")).error_code == 0
    assert graph.act(Dance, names.DANCE, Dance.Goal(dance="simple_nod", intensity=0.5)).error_code == 0


def test_invalid_goal_of_typed_action_returns_reason(graph: ToolClient) -> None:
    answer = graph.act(MoveHead, names.MOVE_HEAD, MoveHead.Goal(yaw=math.nan))
    assert answer.error_code == ErrorCode.INVALID_ARGUMENTS
    elsewhere = LookAt.Goal(point=PointStamped(header=Header(frame_id="map")))
    assert graph.act(LookAt, names.LOOK_AT, elsewhere).error_code == ErrorCode.INVALID_GOAL
    assert graph.act(Dance, names.DANCE, Dance.Goal(dance="polka")).error_code == ErrorCode.INVALID_ARGUMENTS


def test_photo_result_contains_head_pose(graph: ToolClient, photos: Path) -> None:
    graph.at_rest_facing(25.0)
    photo = graph.result("take_photo")
    assert Path(photo["path"]).parent == photos
    assert Path(photo["path"]).stat().st_size == photo["bytes"]
    assert photo["head"]["yaw_deg"] == pytest.approx(25.0, abs=NEAR)
