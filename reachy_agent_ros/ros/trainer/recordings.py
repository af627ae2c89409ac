"""Action `record_demonstration`. Each goal is one recording. It can free the motors for guidance by hand."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from rclpy.qos import QoSProfile
from reachy_agent_msgs.action import RecordDemonstration
from reachy_agent_msgs.msg import MotionTarget, RobotState, TrainingStatus, Transcript
from reachy_agent_msgs.srv import GetRobotState, SetMotorMode
from sensor_msgs.msg import CompressedImage, JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import STATES
from reachy_agent_ros.learning.demonstrations.demonstration import Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations, require_named
from reachy_agent_ros.learning.demonstrations.recording import LONGEST, DemonstrationRecorder
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from reachy_agent_ros.ros.trainer.training_board import TrainingBoard, Undertaking
from reachy_agent_ros.storage.storing import storing

_FEEDBACK_PERIOD = 0.2
"""Period of feedback, s."""

_ASKING = 1.5
"""Time within which the requesting client subscribes to feedback, s. Later subscribers are not that client."""

_LISTENING_TIMEOUT = 5.0
"""Time limit for creating the subscriptions, and then for the robot's state to arrive, s."""

_HEARD: dict[str, tuple[type, QoSProfile]] = {
    names.JOINT_STATES: (JointState, STANDARD),
    names.HEAD_POSE: (PoseStamped, STANDARD),
    names.MOTION_TARGET: (MotionTarget, SENSOR),
    names.IMAGE: (CompressedImage, SENSOR),
    names.TRANSCRIPT: (Transcript, STANDARD),
}

_POWER_PATIENCE = 20.0
"""Time for a crashed bridge to restart, so that it can power the motors, s."""


class Recordings:
    """Records one demonstration at a time. A cancelled recording is kept.

    The recording also ends if a client that subscribed to the feedback at the beginning disconnects: it may be the
    requesting client, and the motors must not remain without power. Later subscribers may disconnect.

    Args:
        node: Node that serves the action.
        demonstrations: Store of demonstrations.
        guidance: Control of the motor mode.
        board: Publisher of the training status.
    """

    def __init__(
        self, node: AgentNode, demonstrations: Demonstrations, guidance: MotorGuidance, board: TrainingBoard
    ) -> None:
        self._node = node
        self._demonstrations = demonstrations
        self._guidance = guidance
        self._board = board
        self._closing = threading.Event()
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="recording")
        self._recover = self._thread.submit(self._recovered)
        self._server = GoalServer(node, RecordDemonstration, names.RECORD_DEMONSTRATION, self._begin)

    def close(self) -> None:
        """Ends the current recording, keeps the recorded data, and powers the motors."""
        self._closing.set()
        self._thread.shutdown()

    def _begin(self, goal: Goal) -> None:
        if self._server.running > 1:
            message = "Another demonstration is being recorded. Cancel it first."
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
        require_named(goal.request.skill, goal.request.prompt)
        method = _method(goal.request.method)
        limit = seconds_of(goal.request.time_allowance)
        if limit < 0.0 or limit > LONGEST:
            raise AgentError(ErrorCode.INVALID_GOAL, f"Invalid time_allowance: expected 0 to {LONGEST:.0f} s.")
        work = self._thread.submit(self._work, goal, method, limit or LONGEST)
        work.add_done_callback(lambda done: self._node.in_executor(done.result))  # a bug ends the node

    def _recovered(self) -> None:
        try:
            self._guidance.recover()
        except AgentError as error:
            self._node.get_logger().error(f"The motors are still free: {error.message}")

    def _work(self, goal: Goal, method: Method, limit: float) -> None:
        result = RecordDemonstration.Result()
        with self._board.during(Undertaking(TrainingStatus.RECORDING, goal.request.skill, detail=method)):
            try:
                self._record(goal, method, limit, result)
            except AgentError as error:
                goal.end(result, error)
            else:
                goal.end(result)

    def _record(self, goal: Goal, method: Method, limit: float, result: RecordDemonstration.Result) -> None:
        """Records a demonstration. Fills in the result early, so that it names the recording even after a failure."""
        self._guidance.require_robot()
        with self._feed() as feed, self._guidance.freed() if method is Method.HAND else nullcontext():
            request, namespace = goal.request, self._node.get_namespace()
            recorder = self._demonstrations.record(
                request.skill, request.prompt, method, goal=goal.id, namespace=namespace, limit=limit
            )
            result.demonstration, result.bag = recorder.folder.name, str(recorder.folder)
            try:
                feed.forward = recorder.push
                self._await_end(goal, recorder)
            finally:
                made = recorder.finish()
        result.duration = duration_message(made.duration or 0.0)
        if made.quality is not None:
            result.samples = made.quality.samples
        self._demonstrations.bag(made).trajectory()  # only a recording that can be read is acknowledged

    def _await_end(self, goal: Goal, recorder: DemonstrationRecorder) -> None:
        asking: set[bytes] = set()
        while not (recorder.over or self._closing.is_set() or goal.cancel.wait(_FEEDBACK_PERIOD)):
            goal.report(
                RecordDemonstration.Feedback(
                    samples=recorder.samples,
                    elapsed=duration_message(recorder.elapsed),
                    bytes_written=recorder.bytes_written,
                )
            )
            listening = self._listening()
            if recorder.elapsed < _ASKING:
                asking |= listening
            if not asking <= listening:
                self._node.get_logger().warning("A client of the recording has disconnected: the recording ends.")
                return

    def _listening(self) -> set[bytes]:
        """Returns the ids of the subscribers to the feedback topic."""
        topic = self._node.resolve_topic_name(f"{names.RECORD_DEMONSTRATION}/_action/feedback")
        return {bytes(one.endpoint_gid) for one in self._node.get_subscriptions_info_by_topic(topic)}

    @contextmanager
    def _feed(self) -> Iterator[_Feed]:
        """Subscribes to every channel during a `with` block. Before the block, waits for the robot's state.

        Discovery can take seconds on a busy machine. Without this wait, a recording would lose its beginning.

        Raises:
            AgentError: `NO_DATA` if no state arrives in time.
        """
        feed = _Feed()
        made = self._in_executor(
            lambda: [
                self._node.create_subscription(kind, name, partial(feed.receive, name), profile, raw=True)
                for name, (kind, profile) in _HEARD.items()
            ]
        )
        subscriptions = made.result(_LISTENING_TIMEOUT)
        try:
            if not feed.robot_heard.wait(_LISTENING_TIMEOUT):
                raise AgentError(ErrorCode.NO_DATA, f"The robot sent no state within {_LISTENING_TIMEOUT:.0f} s.")
            yield feed
        finally:
            self._in_executor(lambda: [self._node.destroy_subscription(one) for one in subscriptions])

    def _in_executor(self, make: Callable[[], list[Any]]) -> Future[list[Any]]:
        """Calls `make` in the executor. A waiting executor fails if other threads change its entities."""
        made: Future[list[Any]] = Future()
        self._node.in_executor(lambda: made.set_result(make()))
        return made


class MotorGuidance:
    """Frees the motors and powers them again, if necessary after a restart of this process.

    Args:
        node: Calling node. Its executor must be spinning in another thread.
        marker: Path of a file that exists while the motors are free.
    """

    def __init__(self, node: Node, marker: Path) -> None:
        bridge = HeartbeatMonitor(node, names.HARDWARE_BRIDGE)
        self._state = ServiceCaller(node, GetRobotState, names.GET_ROBOT_STATE, bridge)
        self._mode = ServiceCaller(node, SetMotorMode, names.SET_MOTOR_MODE, bridge)
        self._marker = marker

    @contextmanager
    def freed(self) -> Iterator[None]:
        """Frees the motors during a `with` block, so that a person can move the robot by hand.

        Raises:
            AgentError: The motors could not be freed, or could not be powered at the end.
        """
        with storing("Cannot note that the motors are free"):
            write_durably(self._marker, "The motors are to be powered when the trainer starts.\n")
        try:
            self._set(RobotState.MOTORS_GRAVITY_COMPENSATION)
            yield
        finally:
            self.power()

    def recover(self) -> None:
        """Powers the motors if an earlier process left them free.

        Raises:
            AgentError: The bridge did not power the motors in time.
        """
        if self._marker.exists():
            self.power()

    def power(self) -> None:
        """Powers the motors. Waits for the bridge if it is still starting.

        Raises:
            AgentError: The bridge did not power the motors in time.
        """
        deadline = Deadline(_POWER_PATIENCE)
        while True:
            try:
                self._set(RobotState.MOTORS_ENABLED)
            except AgentError:
                if deadline.passed:
                    raise
                time.sleep(0.1)
            else:
                self._marker.unlink(missing_ok=True)
                return

    def require_robot(self) -> None:
        """Raises an error unless the robot is connected.

        Raises:
            AgentError: Error of the connection, such as `ROBOT_DISCONNECTED`, or an error of `ServiceCaller.call`.
        """
        self._state.ask(GetRobotState.Request())

    def _set(self, mode: int) -> None:
        self._mode.ask(SetMotorMode.Request(mode=mode), timeout=5.0)


class _Feed:
    """Forwards received messages to a recorder, as soon as the recorder exists.

    Attributes:
        robot_heard: Event set when both the head pose and the joint states have arrived. The topics are discovered
            separately, up to seconds apart, and a demonstration without one of them cannot be read.
        forward: Called with the channel and the serialized message. While it is None, messages are dropped.
    """

    def __init__(self) -> None:
        self.robot_heard = threading.Event()
        self.forward: Callable[[str, bytes], None] | None = None
        self._missing = set(STATES)

    def receive(self, channel: str, message: bytes) -> None:
        """Handles a received message: records that its channel is active, and forwards the message."""
        self._missing.discard(channel)
        if not self._missing:
            self.robot_heard.set()
        if self.forward is not None:
            self.forward(channel, message)


def _method(number: int) -> Method:
    try:
        return tuple(Method)[number]
    except IndexError:
        message = f"Invalid method {number}: expected HAND or TELEOPERATION."
        raise AgentError(ErrorCode.INVALID_GOAL, message) from None
