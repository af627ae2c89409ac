"""Action `record_demonstration`. Each goal is one recording. It can free the motors for guidance by hand."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import Any

from reachy_agent_msgs.action import RecordDemonstration
from reachy_agent_msgs.msg import TrainingStatus

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.demonstration import Method
from reachy_agent_ros.learning.demonstrations.index import Demonstrations, require_named
from reachy_agent_ros.learning.demonstrations.recording import LONGEST, DemonstrationRecorder
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.convert import duration_message, seconds_of
from reachy_agent_ros.ros.rclpy_ext.goal_server import Goal, GoalServer
from reachy_agent_ros.ros.trainer.motor_guidance import MotorGuidance
from reachy_agent_ros.ros.trainer.recording_feed import RecordingFeed
from reachy_agent_ros.ros.trainer.training_board import TrainingBoard, Undertaking

_FEEDBACK_PERIOD = 0.2
"""Period of feedback, s."""

_ASKING = 1.5
"""Time within which the requesting client subscribes to feedback, s. Later subscribers are not that client."""


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
        self._submit(self._recover)
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
        self._submit(self._work, goal, method, limit or LONGEST)

    def _submit(self, work: Callable[..., None], *args: Any) -> None:
        done = self._thread.submit(work, *args)
        done.add_done_callback(lambda done: self._node.in_executor(done.result))  # a bug ends the node

    def _recover(self) -> None:
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
        feed = RecordingFeed(self._node)
        with feed.subscribed(), self._guidance.freed() if method is Method.HAND else nullcontext():
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


def _method(number: int) -> Method:
    try:
        return tuple(Method)[number]
    except IndexError:
        message = f"Invalid method {number}: expected HAND or TELEOPERATION."
        raise AgentError(ErrorCode.INVALID_GOAL, message) from None
