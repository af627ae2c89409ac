"""Hardware bridge in a separate process with the simulated robot, controlled over ROS."""

from __future__ import annotations

import math
import signal
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np
import pytest
from action_msgs.msg import GoalStatus
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus
from geometry_msgs.msg import Point, PointStamped, Pose, PoseStamped, Quaternion, Vector3
from rcl_interfaces.msg import Log
from rclpy.publisher import Publisher
from reachy_agent_msgs.action import ExecuteMotion
from reachy_agent_msgs.msg import (
    AgentState,
    Attention,
    Heartbeat,
    Job,
    JobList,
    MotionOffset,
    MotionReport,
    MotionTarget,
    RobotState,
    SceneObjects,
)
from sensor_msgs.msg import JointState
from std_msgs.msg import Bool, Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import angle_between, head_transform, rpy_from_matrix
from reachy_agent_ros.ros.hardware_bridge.hardware_bridge import STOP_REASON
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, pose_message, seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.heartbeat import heartbeat_topic
from reachy_agent_ros.ros.rclpy_ext.qos import HEARTBEAT, HEARTBEAT_PERIOD, LATCHED, SENSOR, STANDARD
from support.nodes.any_action_client import AnyActionClient
from support.nodes.bridge_client import BridgeClient, head_goal
from support.nodes.node_process import NodeProcess, Ros
from support.waiting import PATIENCE, wait_until


@pytest.fixture(scope="module")
def running(ros: Ros) -> Iterator[BridgeClient]:
    with NodeProcess("hardware_bridge", {"robot": "mujoco", "scene": "minimal"}) as process:
        process.wait_ready()
        yield BridgeClient(ros)
        assert process.stop() == 0


@pytest.fixture
def bridge(running: BridgeClient) -> BridgeClient:
    running.trigger(names.RESET_EMERGENCY_STOP)
    running.set_motor_mode(RobotState.MOTORS_ENABLED)
    wait_until(lambda: running.state().commander == "", "nobody to command")
    assert running.execute(head_goal(0.0, commander="fixture")).error_code == ErrorCode.NONE
    running.reports.clear()
    return running


def slow_turn(commander: str = "test") -> ExecuteMotion.Goal:
    return head_goal(1.5, duration=5.0, commander=commander)


def target(yaw: float, commander: str = "teleop") -> MotionTarget:
    return MotionTarget(commander=commander, set_head=True, head_pose=pose_message(head_transform(yaw=yaw)))


def test_head_motion_changes_measured_yaw(bridge: BridgeClient) -> None:
    result = bridge.execute(head_goal(0.7))
    assert (result.error_code, result.error_msg) == (ErrorCode.NONE, "")
    assert rpy_from_matrix(transform_from_pose(result.head_pose))[2] == pytest.approx(0.7, abs=0.08)
    assert bridge.yaw() == pytest.approx(0.7, abs=0.08)
    assert seconds_of(result.elapsed) > 0.3


def test_look_at_turns_head_to_point(bridge: BridgeClient) -> None:
    point = PointStamped(header=Header(frame_id="base_link"), point=Point(x=0.6, y=0.3, z=0.0))
    result = bridge.execute(ExecuteMotion.Goal(kind=ExecuteMotion.Goal.LOOK_AT, commander="test", point=point))
    assert result.error_code == ErrorCode.NONE
    assert bridge.yaw() == pytest.approx(math.atan2(0.3, 0.6), abs=0.08)


@pytest.mark.parametrize(
    ("kind", "name"), [(ExecuteMotion.Goal.EMOTION, "agreement"), (ExecuteMotion.Goal.DANCE, "simple_nod")]
)
def test_bridge_plays_named_move_to_end(bridge: BridgeClient, kind: int, name: str) -> None:
    result = bridge.execute(ExecuteMotion.Goal(kind=kind, name=name, commander="test", amplitude=0.7))
    assert (result.error_code, result.error_msg) == (ErrorCode.NONE, "")


def test_motion_feedback_reports_remaining_angle_and_time(bridge: BridgeClient) -> None:
    seen: list[ExecuteMotion.Feedback] = []
    bridge.execute(head_goal(0.7, duration=1.0), seen.append)
    assert len(seen) > 3
    assert seen[0].angle_remaining > seen[-1].angle_remaining
    assert seconds_of(seen[0].time_remaining) > seconds_of(seen[-1].time_remaining)
    assert [feedback.progress for feedback in seen] == sorted(feedback.progress for feedback in seen)


def test_bridge_reports_clamped_fields_to_sender_and_on_topic(bridge: BridgeClient) -> None:
    goal = head_goal(0.0)
    goal.head_pose = pose_message(head_transform(roll=1.0))
    assert list(bridge.execute(goal).clamped) == ["head.roll"]
    report = bridge.wait_for_report(lambda report: report.verdict == MotionReport.CLAMPED)
    assert (report.commander, report.field) == ("test", "head.roll")
    assert (report.requested, report.applied) == pytest.approx((1.0, math.radians(40.0)))


def test_cancelled_motion_holds_pose(bridge: BridgeClient) -> None:
    cancel = CancelToken()
    going = bridge.begin(slow_turn(), cancel)
    bridge.wait_for_motion()
    cancel.cancel()
    assert going.result(PATIENCE).error_code == ErrorCode.CANCELED
    held = bridge.wait_for_rest()
    assert 0.1 < held < 1.2
    assert bridge.state().activity == RobotState.IDLE


def test_hold_service_ends_motion_of_any_commander(bridge: BridgeClient) -> None:
    going = bridge.begin(slow_turn())
    bridge.wait_for_motion()
    bridge.trigger(names.HOLD)
    assert going.result(PATIENCE).error_code == ErrorCode.CANCELED
    assert bridge.wait_for_rest() < 1.2
    assert bridge.state().held
    assert bridge.execute(head_goal(0.2)).error_code == ErrorCode.NONE
    assert not bridge.state().held


def test_bridge_rejects_cancel_of_ended_motion(bridge: BridgeClient) -> None:
    client = AnyActionClient(bridge.node, ExecuteMotion, names.EXECUTE_MOTION)
    assert client.wait_for_server(PATIENCE)
    sent = client.send_goal_async(head_goal(0.2))
    wait_until(sent.done, "the goal to be accepted")
    ended = sent.result().get_result_async()
    wait_until(ended.done, "the goal to end")
    assert ended.result().status == GoalStatus.STATUS_SUCCEEDED
    answered = sent.result().cancel_goal_async()
    wait_until(answered.done, "the cancel to be answered")
    assert not answered.result().goals_canceling
    client.destroy()
    assert bridge.yaw() == pytest.approx(0.2, abs=0.08)


@pytest.mark.parametrize("by", ["topic", "service"])
def test_emergency_stop_lasts_until_reset(bridge: BridgeClient, by: str) -> None:
    going = bridge.begin(slow_turn())
    bridge.wait_for_motion()
    if by == "topic":
        bridge.stops.publish(Bool(data=True))
    else:
        bridge.trigger(names.EMERGENCY_STOP)
    assert going.result(PATIENCE).error_code == ErrorCode.EMERGENCY_STOPPED
    held = bridge.wait_for_rest()
    state = bridge.state()
    assert (state.emergency_stopped, state.activity) == (True, RobotState.STOPPED)
    assert state.stop_reason == STOP_REASON
    assert bridge.execute(head_goal(-0.5)).error_code == ErrorCode.EMERGENCY_STOPPED
    assert bridge.wait_for_rest() == pytest.approx(held, abs=0.05)
    bridge.trigger(names.RESET_EMERGENCY_STOP)
    assert bridge.wait_for_rest() == pytest.approx(held, abs=0.05)
    assert bridge.execute(head_goal(-0.5)).error_code == ErrorCode.NONE


def test_bridge_rejects_motion_of_second_commander_as_busy(bridge: BridgeClient) -> None:
    cancel = CancelToken()
    going = bridge.begin(slow_turn("first"), cancel)
    wait_until(lambda: bridge.state().commander == "first", "the first to command")
    result = bridge.execute(head_goal(-0.5, commander="second"))
    assert (result.error_code, "first" in result.error_msg) == (ErrorCode.COMMANDER_BUSY, True)
    bridge.targets.publish(target(-0.5, commander="third"))
    assert bridge.reported(ErrorCode.COMMANDER_BUSY).commander in ("second", "third")
    cancel.cancel()
    assert going.result(PATIENCE).error_code == ErrorCode.CANCELED


def test_newer_motion_of_same_commander_replaces_older_motion(bridge: BridgeClient) -> None:
    going = bridge.begin(slow_turn())
    bridge.wait_for_motion()
    assert bridge.execute(head_goal(-0.4)).error_code == ErrorCode.NONE
    assert going.result(PATIENCE).error_code == ErrorCode.PREEMPTED
    assert bridge.yaw() == pytest.approx(-0.4, abs=0.08)


@contextmanager
def beating(pulse: Publisher[Heartbeat]) -> Iterator[None]:
    """Publishes heartbeats from a separate thread during a `with` block, as every node does.

    In the test's thread, its calls would delay a heartbeat so long that the bridge would consider the node lost.
    """
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(HEARTBEAT_PERIOD):
            pulse.publish(Heartbeat(node="mortal", pid=1))

    with ThreadPoolExecutor(1) as heart:
        heart.submit(beat)
        try:
            yield
        finally:
            ended.set()


def test_robot_holds_pose_if_heartbeat_of_commander_ends(bridge: BridgeClient) -> None:
    pulse = bridge.node.create_publisher(Heartbeat, heartbeat_topic("mortal"), HEARTBEAT)
    with beating(pulse):
        wait_until(lambda: bridge.node.count_publishers(pulse.topic) > 0, "its heartbeat to be known")
        first = bridge.begin(head_goal(0.1, commander="mortal"))
        assert first.result(PATIENCE).error_code == ErrorCode.NONE
        wait_until(lambda: pulse.get_subscription_count() > 0, "the bridge to listen to its commander")
        start, going = bridge.yaw(), bridge.begin(slow_turn("mortal"))
        wait_until(lambda: abs(bridge.yaw() - start) > 0.15, "the head to move")
    assert going.result(PATIENCE).error_code == ErrorCode.COMMANDER_LOST
    assert bridge.state().activity == RobotState.HOLDING
    assert bridge.wait_for_rest() < 1.2


@pytest.mark.parametrize(
    ("pose", "code"),
    [
        (Pose(position=Point(x=math.nan)), ErrorCode.NOT_FINITE),
        (Pose(orientation=Quaternion(w=math.inf)), ErrorCode.NOT_FINITE),
        (Pose(orientation=Quaternion(w=0.5)), ErrorCode.NOT_RIGID),
        (Pose(orientation=Quaternion(x=1.0, y=1.0, z=1.0, w=1.0)), ErrorCode.NOT_RIGID),
        (Pose(position=Point(z=0.2)), ErrorCode.OUT_OF_ENVELOPE),
        (pose_message(head_transform(roll=math.pi)), ErrorCode.OUT_OF_ENVELOPE),
        (pose_message(head_transform(roll=0.69, pitch=0.69)), ErrorCode.UNREACHABLE),
    ],
)
def test_bridge_rejects_invalid_pose_in_goal_and_target_stream(
    bridge: BridgeClient, pose: Pose, code: ErrorCode
) -> None:
    before = bridge.wait_for_rest()
    goal = ExecuteMotion.Goal(commander="test", set_head=True, head_pose=pose)
    result = bridge.execute(goal)
    assert (result.error_code, bool(result.error_msg)) == (code, True)
    bridge.reports.clear()
    bridge.targets.publish(MotionTarget(commander="test", set_head=True, head_pose=pose))
    report = bridge.reported(code)
    assert report.verdict == MotionReport.REFUSED
    assert bridge.wait_for_rest() == pytest.approx(before, abs=0.05)


@pytest.mark.parametrize(
    ("goal", "code"),
    [
        (ExecuteMotion.Goal(commander="test"), ErrorCode.INVALID_GOAL),
        (ExecuteMotion.Goal(commander="test", kind=99), ErrorCode.INVALID_GOAL),
        (ExecuteMotion.Goal(commander="", set_body=True), ErrorCode.INVALID_GOAL),
        (ExecuteMotion.Goal(commander="test", set_body=True, duration=duration_message(-5.0)), ErrorCode.INVALID_GOAL),
        (ExecuteMotion.Goal(commander="test", kind=ExecuteMotion.Goal.EMOTION, name="envy"), ErrorCode.UNKNOWN_MOVE),
        (
            ExecuteMotion.Goal(commander="test", kind=ExecuteMotion.Goal.DANCE, name="simple_nod", amplitude=-1.0),
            ErrorCode.INVALID_GOAL,
        ),
        (ExecuteMotion.Goal(commander="test", kind=ExecuteMotion.Goal.LOOK_AT), ErrorCode.INVALID_GOAL),
    ],
)
def test_invalid_goal_ends_with_specific_error(bridge: BridgeClient, goal: ExecuteMotion.Goal, code: ErrorCode) -> None:
    result = bridge.execute(goal)
    assert (result.error_code, bool(result.error_msg)) == (code, True)


def test_bridge_logs_emergency_stop_and_reset(bridge: BridgeClient) -> None:
    logged: list[str] = []
    watching = bridge.node.create_subscription(Log, "/rosout", lambda log: logged.append(log.msg), STANDARD)
    wait_until(lambda: watching.get_publisher_count() > 0, "the log of the bridge")
    for service in (names.EMERGENCY_STOP, names.RESET_EMERGENCY_STOP):
        bridge.trigger(service)
    for line in (
        "Emergency stop through the service emergency_stop.",
        "Emergency stop reset through the service reset_emergency_stop.",
    ):
        wait_until(lambda line=line: line in logged, "the line of the log")
    bridge.node.destroy_subscription(watching)


def test_robot_follows_target_stream_until_it_stops(bridge: BridgeClient) -> None:
    sending = bridge.node.create_timer(0.02, lambda: bridge.targets.publish(target(0.6)))
    wait_until(lambda: bridge.yaw() > 0.5 and bridge.state().activity == RobotState.STREAMING, "the stream")
    sending.cancel()
    bridge.reported(ErrorCode.STALE_COMMAND)
    wait_until(lambda: bridge.state().activity == RobotState.HOLDING, "the robot to hold")
    assert bridge.wait_for_rest() == pytest.approx(0.6, abs=0.1)


def test_robot_stays_within_limits_under_flood_of_random_targets(bridge: BridgeClient) -> None:
    generator = np.random.default_rng(3)
    heads: list[PoseStamped] = []
    watching = bridge.node.create_subscription(PoseStamped, names.HEAD_POSE, heads.append, STANDARD)
    poses = [head_transform(*generator.uniform(-0.7, 0.7, 3)) for _ in range(100)]
    for index in range(20_000):
        bridge.targets.publish(
            MotionTarget(commander="flood", set_head=True, head_pose=pose_message(poses[index % 100]))
        )
    bridge.wait_for_report(lambda report: report.count > 1)
    assert bridge.state().connected
    bridge.node.destroy_subscription(watching)
    for stamped in heads:
        roll, pitch, _yaw = rpy_from_matrix(transform_from_pose(stamped.pose))
        assert max(abs(roll), abs(pitch)) < math.radians(45.0)
    wait_until(lambda: not bridge.state().commander, "the flood to hold the robot no more")
    assert bridge.execute(head_goal(0.0)).error_code == ErrorCode.NONE


def test_bridge_rejects_motion_while_motors_are_off(bridge: BridgeClient) -> None:
    assert bridge.set_motor_mode(RobotState.MOTORS_DISABLED).error_code == ErrorCode.NONE
    wait_until(lambda: bridge.state().motor_mode == RobotState.MOTORS_DISABLED, "the motors to be off")
    assert bridge.execute(head_goal(0.5)).error_code == ErrorCode.MOTORS_OFF
    assert bridge.set_motor_mode(RobotState.MOTORS_ENABLED).error_code == ErrorCode.NONE
    wait_until(lambda: bridge.state().motor_mode == RobotState.MOTORS_ENABLED, "the motors to be on")
    assert bridge.execute(head_goal(0.5)).error_code == ErrorCode.NONE


def test_bridge_rejects_unknown_motor_mode(bridge: BridgeClient) -> None:
    assert bridge.set_motor_mode(77).error_code == ErrorCode.INVALID_GOAL


def test_teach_target_moves_simulated_robot_with_motors_off(bridge: BridgeClient) -> None:
    lessons = bridge.node.create_publisher(MotionTarget, names.TEACH_TARGET, STANDARD)
    wait_until(lambda: lessons.get_subscription_count() > 0, "the bridge to listen")
    leading = bridge.node.create_timer(0.02, lambda: lessons.publish(target(0.4, commander="hand")))
    assert bridge.reported(ErrorCode.INVALID_GOAL).commander == "hand"
    assert bridge.wait_for_rest() == pytest.approx(0.0, abs=0.05)
    assert bridge.set_motor_mode(RobotState.MOTORS_GRAVITY_COMPENSATION).error_code == ErrorCode.NONE
    wait_until(lambda: bridge.yaw() > 0.35, "the head to be led")
    assert bridge.set_motor_mode(RobotState.MOTORS_ENABLED).error_code == ErrorCode.NONE
    leading.cancel()
    assert bridge.wait_for_rest() == pytest.approx(0.4, abs=0.08)


def test_idle_robot_breathes_unless_it_holds_its_pose(bridge: BridgeClient) -> None:
    wait_until(lambda: bridge.state().breathing, "the robot to breathe")
    assert bridge.state().activity == RobotState.IDLE
    bridge.trigger(names.HOLD)
    wait_until(lambda: not bridge.state().breathing, "it to hold its breath")


def test_robot_keeps_still_while_listening(bridge: BridgeClient) -> None:
    ears = bridge.node.create_publisher(Bool, names.LISTENING, STANDARD)
    listening = bridge.node.create_timer(0.1, lambda: ears.publish(Bool(data=True)))
    wait_until(lambda: bridge.state().listening, "the robot to keep still")
    listening.cancel()
    wait_until(lambda: not bridge.state().listening, "the ears to be forgotten")


def test_breathing_pauses_while_running_agent_is_thinking(bridge: BridgeClient) -> None:
    states = bridge.node.create_publisher(AgentState, names.AGENT_STATE, LATCHED)
    beats = bridge.node.create_publisher(Heartbeat, heartbeat_topic(names.AGENT), HEARTBEAT)
    life = bridge.node.create_timer(0.1, lambda: beats.publish(Heartbeat(pid=1)))
    wait_until(lambda: states.get_subscription_count() > 0, "the bridge to listen to the agent")
    bridge.execute(head_goal(0.0))
    wait_until(lambda: bridge.state().breathing, "it to breathe")
    for state in (AgentState.PROCESSING, AgentState.WAITING_FOR_APPROVAL):
        states.publish(AgentState(state=state))
        wait_until(lambda: not bridge.state().breathing, "it to hold its breath")
        states.publish(AgentState(state=AgentState.READY))
        wait_until(lambda: bridge.state().breathing, "it to breathe again")
    states.publish(AgentState(state=AgentState.PROCESSING))
    wait_until(lambda: not bridge.state().breathing, "it to hold its breath")
    life.cancel()
    wait_until(lambda: bridge.state().breathing, "the dead agent to be forgotten")


@pytest.fixture
def lively(bridge: BridgeClient) -> Iterator[BridgeClient]:
    """Bridge with the idle life enabled."""
    bridge.set_parameter("idle_intensity", 1.0)
    yield bridge
    for name, value in (("idle_intensity", 0.0), ("idle_asleep_after", 900.0)):
        bridge.set_parameter(name, value)


def test_idle_robot_glances_at_point_of_interest(lively: BridgeClient) -> None:
    points = lively.node.create_publisher(PointStamped, names.POINT_OF_INTEREST, SENSOR)
    wait_until(lambda: points.get_subscription_count() > 0, "the bridge to want points")
    point = PointStamped(header=Header(frame_id=names.HEAD_BASE_FRAME), point=Point(x=1.0, y=0.4, z=0.05))
    pointing = lively.node.create_timer(0.2, lambda: points.publish(point))
    wait_until(lambda: lively.yaw() == pytest.approx(math.atan2(0.4, 1.0), abs=0.05), "a glance at the point")
    pointing.cancel()
    lively.set_parameter("idle_intensity", 0.0)
    wait_until(lambda: points.get_subscription_count() == 0, "the bridge to want no points")
    wait_until(lambda: lively.yaw() == pytest.approx(0.0, abs=0.05), "the head to return")


def test_bridge_reports_invalid_point_of_interest(lively: BridgeClient) -> None:
    points = lively.node.create_publisher(PointStamped, names.POINT_OF_INTEREST, SENSOR)
    wait_until(lambda: points.get_subscription_count() > 0, "the bridge to want points")
    invalid = PointStamped(header=Header(frame_id="map"), point=Point(x=1.0))
    pointing = lively.node.create_timer(0.2, lambda: points.publish(invalid))
    assert lively.reported(ErrorCode.INVALID_GOAL).field == "point"
    pointing.cancel()


@pytest.mark.parametrize("reason", ["name", "job"])
def test_sleeping_robot_wakes_up_when_it_is_needed(lively: BridgeClient, reason: str) -> None:
    attention = lively.node.create_publisher(Attention, names.ATTENTION, LATCHED)
    jobs = lively.node.create_publisher(JobList, names.JOBS, LATCHED)
    beats = lively.node.create_publisher(Heartbeat, heartbeat_topic(names.AGENT), HEARTBEAT)
    life = lively.node.create_timer(0.1, lambda: beats.publish(Heartbeat(pid=1)))
    for publisher in (attention, jobs):
        wait_until(
            lambda publisher=publisher: publisher.get_subscription_count() > 0, "the bridge to listen to the agent"
        )
    lively.set_parameter("idle_asleep_after", 0.5)
    wait_until(lambda: lively.state().head_pose.position.z < -0.03, "the robot to fall asleep")
    wait_until(lambda: lively.node.count_subscribers(names.POINT_OF_INTEREST) == 0, "the bridge to want no points")
    lively.set_parameter("idle_asleep_after", 900.0)
    if reason == "name":
        attention.publish(Attention(opened_by=Attention.NAME))
    else:
        jobs.publish(JobList(jobs=[Job(state=Job.RUNNING)]))
    wait_until(lambda: lively.state().head_pose.position.z > -0.01, "the robot to wake up")
    attention.publish(Attention(opened_by=Attention.CLOSED))
    jobs.publish(JobList())
    life.cancel()


def test_motion_layer_moves_head_until_disabled(bridge: BridgeClient) -> None:
    layers = bridge.node.create_publisher(MotionOffset, names.MOTION_OFFSET, STANDARD)
    last_stop = bridge.state().last_stop
    turned = MotionOffset(source=MotionOffset.FACE, rotation=Vector3(z=0.5), last_stop=last_stop)
    following = bridge.node.create_timer(0.05, lambda: layers.publish(turned))
    wait_until(lambda: bridge.yaw() > 0.4, "the head to turn to the face")
    bridge.set_parameter("face_layer", value=False)
    wait_until(lambda: bridge.yaw() < 0.1, "the layer to fade")
    following.cancel()
    bridge.set_parameter("face_layer", value=True)


def test_primary_pose_excludes_motion_layers(bridge: BridgeClient) -> None:
    primaries: list[float] = []
    listening = bridge.node.create_subscription(
        PoseStamped,
        names.PRIMARY_POSE,
        lambda message: primaries.append(rpy_from_matrix(transform_from_pose(message.pose))[2]),
        SENSOR,
    )
    assert bridge.execute(head_goal(0.3)).error_code == ErrorCode.NONE
    layers = bridge.node.create_publisher(MotionOffset, names.MOTION_OFFSET, STANDARD)
    last_stop = bridge.state().last_stop
    turned = MotionOffset(source=MotionOffset.FACE, rotation=Vector3(z=0.4), last_stop=last_stop)
    following = bridge.node.create_timer(0.05, lambda: layers.publish(turned))
    wait_until(lambda: bridge.yaw() > 0.6, "the head to turn further")
    primaries.clear()
    wait_until(lambda: len(primaries) > 1, "the primary pose")
    assert primaries[-1] == pytest.approx(0.3, abs=0.01)
    following.cancel()
    bridge.node.destroy_subscription(listening)


def test_bridge_publishes_joint_states_scene_and_loop_diagnostics(bridge: BridgeClient) -> None:
    joints: list[JointState] = []
    scenes: list[SceneObjects] = []
    concerns: dict[str, DiagnosticStatus] = {}
    bridge.node.create_subscription(JointState, names.JOINT_STATES, joints.append, STANDARD)
    bridge.node.create_subscription(SceneObjects, names.SCENE_OBJECTS, scenes.append, STANDARD)
    bridge.node.create_subscription(
        DiagnosticArray, "/diagnostics", lambda array: concerns.update({s.name: s for s in array.status}), STANDARD
    )
    wait_until(lambda: joints and scenes and "hardware_bridge: motion loop" in concerns, "its topics")
    assert {"yaw_body", "stewart_1", "right_antenna"} <= set(joints[0].name)
    assert len(joints[0].position) == len(joints[0].velocity) == len(joints[0].name)
    assert math.isfinite(joints[0].velocity[joints[0].name.index("yaw_body")])
    assert {"apple", "croissant", "duck"} <= set(scenes[0].names)
    figures = {value.key for value in concerns["hardware_bridge: motion loop"].values}
    assert {"p50_ms", "p99_ms", "max_ms", "overruns", "priority"} <= figures


def test_late_subscriber_receives_robot_state(bridge: BridgeClient) -> None:
    late: list[RobotState] = []
    bridge.node.create_subscription(RobotState, names.ROBOT_STATE, late.append, LATCHED)
    wait_until(lambda: bool(late), "the latched state")
    assert (late[0].backend, late[0].simulated, late[0].connected) == ("mujoco", True, True)
    head = transform_from_pose(bridge.state().head_pose)
    assert angle_between(head, head_transform()) < 0.2


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_bridge_exits_cleanly_during_motion(ros: Ros, number: signal.Signals) -> None:
    with NodeProcess("hardware_bridge", name="second_bridge", parameters={"scene": "empty"}) as process:
        process.wait_ready()
        publisher = ros.node.create_publisher(MotionTarget, names.MOTION_TARGET, STANDARD)
        flooding = threading.Event()

        def flood() -> None:
            while not flooding.is_set():
                publisher.publish(target(0.5, commander="flood"))

        sender = threading.Thread(target=flood)
        sender.start()
        try:
            assert process.stop(number) == 0
        finally:
            flooding.set()
            sender.join()


def test_bridge_rejects_parameter_outside_range() -> None:
    with NodeProcess("hardware_bridge", {"robot": "dishwasher"}, name="third_bridge") as process:
        assert process.process.wait(PATIENCE) == 1
