"""Streaming of motion targets to the running hardware bridge."""

from __future__ import annotations

import signal
import time
from collections.abc import Iterator

import pytest
from reachy_agent_msgs.msg import MotionReport, MotionTarget, RobotState
from std_srvs.srv import Trigger

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform, rpy_from_matrix
from reachy_agent_ros.robot.stream import TIMEOUT
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import LATCHED, SENSOR, STANDARD
from reachy_agent_ros.ros.tool_server.ros_body import PERIOD, ToolBody
from reachy_agent_ros.tools.body import PoseMotion
from reachy_agent_ros.tools.context import ToolContext
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import wait_until

LEFT = PoseMotion(head=head_transform(yaw=0.4))


@pytest.fixture(scope="module")
def bridge() -> Iterator[NodeProcess]:
    with NodeProcess("hardware_bridge") as process:
        yield process.wait_ready()


@pytest.fixture(scope="module")
def body(ros: Ros, bridge: NodeProcess) -> ToolBody:
    return ToolBody(ros.node)


def yaw(body: ToolBody) -> float:
    return rpy_from_matrix(body.state().pose.head)[2]


def test_robot_follows_target_stream_until_hold(ros: Ros, body: ToolBody) -> None:
    heard: list[MotionTarget] = []
    ros.node.create_subscription(MotionTarget, names.MOTION_TARGET, heard.append, SENSOR)
    body.stream(LEFT)
    wait_until(lambda: len(heard) > 15, "the target to be repeated for three quarters of a second")
    wait_until(lambda: abs(yaw(body) - 0.4) < 0.05 and body.state().activity == "streaming", "the head to arrive")
    body.hold()
    wait_until(lambda: body.state().activity != "streaming", "the stream to end")
    wait_until(lambda: silent(heard), "the targets to end")


def test_target_stream_continues_after_suspended_bridge_resumes(ros: Ros, body: ToolBody, bridge: NodeProcess) -> None:
    heard: list[MotionTarget] = []
    reports: list[MotionReport] = []
    states: list[RobotState] = []
    ros.node.create_subscription(MotionTarget, names.MOTION_TARGET, heard.append, SENSOR)
    ros.node.create_subscription(MotionReport, names.MOTION_REPORTS, reports.append, STANDARD)
    ros.node.create_subscription(RobotState, names.ROBOT_STATE, states.append, LATCHED)
    body.stream(LEFT)
    wait_until(lambda: bool(states) and states[-1].activity == RobotState.STREAMING, "the stream to begin")
    bridge.process.send_signal(signal.SIGSTOP)
    try:
        before = len(heard)
        wait_until(lambda: len(heard) > before + 2.0 * TIMEOUT / PERIOD, "the targets of two timeouts")
    finally:
        bridge.process.send_signal(signal.SIGCONT)
    wait_until(lambda: any(report.error_code == ErrorCode.STALE_COMMAND for report in reports), "the report")
    reported = len(states)
    wait_until(
        lambda: any(state.activity == RobotState.STREAMING for state in states[reported:]), "the stream to continue"
    )
    body.stream(LEFT)
    body.hold()


def test_end_of_target_stream_does_not_count_as_stop(ros: Ros, body: ToolBody) -> None:
    states: list[RobotState] = []
    ros.node.create_subscription(RobotState, names.ROBOT_STATE, states.append, LATCHED)
    body.stream(LEFT)
    wait_until(lambda: bool(states) and states[-1].activity == RobotState.STREAMING)
    before = states[-1].last_stop
    body.hold()
    wait_until(lambda: states[-1].activity == RobotState.IDLE, "the stream to end")
    assert states[-1].last_stop == before
    body.halt()
    wait_until(lambda: states[-1].last_stop != before, "the stop")


def silent(heard: list[MotionTarget]) -> bool:
    """Returns whether no motion target is received during ten target periods."""
    before = len(heard)
    time.sleep(10 * PERIOD)
    return len(heard) == before


def test_motion_replaces_target_stream(body: ToolBody) -> None:
    body.stream(LEFT)
    result = body.move(PoseMotion(head=head_transform(yaw=-0.3)), ToolContext(body, Deadline(10.0), lambda _: None))
    assert result.error is None
    wait_until(lambda: abs(yaw(body) + 0.3) < 0.1, "the head to settle")


def test_target_stream_does_not_resume_after_emergency_stop(ros: Ros, body: ToolBody) -> None:
    bridge = HeartbeatMonitor(ros.node, names.HARDWARE_BRIDGE)
    stop, reset = (
        ServiceCaller(ros.node, Trigger, name, bridge) for name in (names.EMERGENCY_STOP, names.RESET_EMERGENCY_STOP)
    )
    body.stream(LEFT)
    wait_until(lambda: body.state().activity == "streaming")
    stop.call(Trigger.Request())

    def refused() -> AgentError | None:
        try:
            body.stream(LEFT)
        except AgentError as error:
            return error
        return None

    codes: list[ErrorCode] = []
    wait_until(lambda: bool((error := refused()) and not codes.append(error.code)), "the refusal")
    assert codes == [ErrorCode.EMERGENCY_STOPPED]
    reset.call(Trigger.Request())
    assert body.state().activity != "streaming"
    silence = Deadline(2.0 * TIMEOUT)
    wait_until(lambda: silence.passed, "the stream of before to count as silent")
    body.stream(LEFT)
    wait_until(lambda: body.state().activity == "streaming", "a new stream to be taken")
    body.hold()
