"""Subscriptions that feed a recording: joint states, head pose, targets, images and transcripts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.qos import QoSProfile
from reachy_agent_msgs.msg import MotionTarget, Transcript
from sensor_msgs.msg import CompressedImage, JointState

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.channels import STATES
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD

_LISTENING_TIMEOUT = 5.0
"""Time limit for creating the subscriptions, and then for the robot's state to arrive, s."""

_CHANNELS: dict[str, tuple[type, QoSProfile]] = {
    names.JOINT_STATES: (JointState, STANDARD),
    names.HEAD_POSE: (PoseStamped, STANDARD),
    names.MOTION_TARGET: (MotionTarget, SENSOR),
    names.IMAGE: (CompressedImage, SENSOR),
    names.TRANSCRIPT: (Transcript, STANDARD),
}


class RecordingFeed:
    """Forwards received messages to a recorder, as soon as the recorder exists.

    Args:
        node: Node that subscribes. Its executor must be spinning in another thread.

    Attributes:
        forward: Called with the channel and the serialized message. While it is None, messages are dropped.
    """

    def __init__(self, node: AgentNode) -> None:
        self.forward: Callable[[str, bytes], None] | None = None
        self._node = node
        self._missing = set(STATES)
        self._robot_heard = threading.Event()
        self._subscriptions: list[Any] = []

    @contextmanager
    def subscribed(self) -> Iterator[None]:
        """Subscribes to every channel during a `with` block. Before the block, waits for the robot's state.

        Discovery can take seconds on a busy machine. Without this wait, a recording would lose its beginning. The
        topics of the robot's state are discovered separately, up to seconds apart, and a demonstration without one of
        them cannot be read.

        Raises:
            AgentError: `TIMEOUT` if the executor does not subscribe in time; `NO_DATA` if no state arrives in time.
        """
        created = self._in_executor(self._subscribe)
        try:
            try:
                created.result(_LISTENING_TIMEOUT)
            except TimeoutError:
                message = f"The trainer did not subscribe to the robot within {_LISTENING_TIMEOUT:.0f} s. Try again."
                raise AgentError(ErrorCode.TIMEOUT, message) from None
            if not self._robot_heard.wait(_LISTENING_TIMEOUT):
                raise AgentError(ErrorCode.NO_DATA, f"The robot sent no state within {_LISTENING_TIMEOUT:.0f} s.")
            yield
        finally:
            if not created.cancel():  # otherwise the executor has not begun to subscribe, and will not
                self._in_executor(self._unsubscribe)

    def _subscribe(self) -> None:
        for name, (kind, profile) in _CHANNELS.items():
            receive = partial(self._receive, name)
            self._subscriptions.append(self._node.create_subscription(kind, name, receive, profile, raw=True))

    def _unsubscribe(self) -> None:
        for subscription in self._subscriptions:
            self._node.destroy_subscription(subscription)

    def _receive(self, channel: str, message: bytes) -> None:
        self._missing.discard(channel)
        if not self._missing:
            self._robot_heard.set()
        if self.forward is not None:
            self.forward(channel, message)

    def _in_executor(self, work: Callable[[], None]) -> Future[None]:
        """Calls `work` in the executor. A waiting executor fails if other threads change its entities."""
        done: Future[None] = Future()
        self._node.in_executor(_run, done, work)
        return done


def _run(done: Future[None], work: Callable[[], None]) -> None:
    if not done.set_running_or_notify_cancel():
        return
    try:
        work()
    except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
        done.set_exception(error)
    else:
        done.set_result(None)
