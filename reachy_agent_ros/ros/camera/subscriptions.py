"""On-demand subscriptions: the head's pose, the eye's pictures, and the next message of a topic."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

from geometry_msgs.msg import PoseStamped
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, CompressedImage

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.camera.camera_messages import frame_of
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import LATEST, SENSOR
from reachy_agent_ros.vision.camera import Frame, HeadHistory

LINGER = 3.0
"""s to go on after the last need: whoever asked once asks again, and joining anew would cost each time."""

STALE = 0.6
"""s without a picture after which the last one is old: several periods of a camera."""

FIRST_PICTURE = 2.0
"""s more for the first one, which the camera begins to draw when it has heard that somebody watches."""


class HeadListener:
    """Fills a history. Its methods belong in the executor's thread.

    Args:
        node: Whose executor runs the callbacks.

    Attributes:
        history: What was heard; for any thread.
    """

    def __init__(self, node: Node) -> None:
        self.history = HeadHistory()
        self._node = node
        self._subscription: Any = None
        self._needed = -float("inf")

    def need(self) -> None:
        """Listens from now on for a while."""
        self._needed = time.monotonic()
        if self._subscription is None:
            self._subscription = self._node.create_subscription(PoseStamped, names.HEAD_POSE, self._remember, SENSOR)

    def relax(self) -> None:
        """Stops listening if nobody has needed it for a while. To be called now and then."""
        if self._subscription is not None and time.monotonic() - self._needed > LINGER:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _remember(self, message: PoseStamped) -> None:
        self.history.add(seconds_of(message.header.stamp), transform_from_pose(message.pose))


class FrameStream:
    """Listens to the camera and to where the head is. Its methods belong in the executor's thread.

    Args:
        node: Whose executor runs the callbacks.
        heads: Where the head is.
        take: Gets the way to each picture; decoding it takes a few ms, in whichever thread does it, and raises
            `AgentError` where it is broken or nobody knows where the head was.
    """

    def __init__(self, node: Node, heads: HeadListener, take: Callable[[Callable[[], Frame]], None]) -> None:
        self._node = node
        self._heads = heads
        self._take = take
        self._info: CameraInfo | None = None
        self._subscriptions: list[Any] = []
        self._needed = -float("inf")
        self._due = float("inf")

    @property
    def stale(self) -> bool:
        """Whether pictures are asked for and do not come: a frozen eye looks like a quiet room."""
        return self.listening and time.monotonic() > self._due

    @property
    def listening(self) -> bool:
        """Whether pictures are asked for."""
        return bool(self._subscriptions)

    def need(self) -> None:
        """Asks for pictures from now on for a while."""
        self._needed = time.monotonic()
        self._heads.need()
        if not self._subscriptions:
            self._due = time.monotonic() + FIRST_PICTURE + STALE
            self._subscriptions = [
                self._node.create_subscription(CameraInfo, names.CAMERA_INFO, self._remember, LATEST),
                self._node.create_subscription(CompressedImage, names.IMAGE, self._receive, LATEST),
            ]

    def relax(self) -> None:
        """Asks no longer, if nobody has needed pictures for a while. To be called now and then."""
        if self._subscriptions and time.monotonic() - self._needed > LINGER:
            for subscription in self._subscriptions:
                self._node.destroy_subscription(subscription)
            self._subscriptions = []
        self._heads.relax()

    def _remember(self, info: CameraInfo) -> None:
        self._info = info

    def _receive(self, image: CompressedImage) -> None:
        self._due = time.monotonic() + STALE
        info = self._info
        if info is not None:  # the lens comes a moment after the first picture
            self._take(lambda: frame_of(image, info, self._heads.history.at(seconds_of(image.header.stamp))))


class NextMessage:
    """Listens until the first message came. Made and closed in the executor's thread, awaited in a worker's.

    Args:
        node: Whose executor must be spinning.
        message_type: For example `sensor_msgs.msg.JointState`.
        topic: Topic name.
    """

    def __init__(self, node: Node, message_type: type, topic: str) -> None:
        self._node = node
        self._topic = topic
        self._message: Any = None
        self._arrived = threading.Event()
        self._subscription = node.create_subscription(message_type, topic, self._receive, SENSOR)

    def wait(self, timeout: float) -> Any:
        """The message.

        Args:
            timeout: s.

        Raises:
            AgentError: `SERVER_UNAVAILABLE` when none came in time.
        """
        if not self._arrived.wait(timeout):
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"Nothing arrived on {self._topic} within {timeout:g} s.")
        return self._message

    def close(self) -> None:
        """Stops listening."""
        self._node.destroy_subscription(self._subscription)

    def _receive(self, message: Any) -> None:
        self._message = message
        self._arrived.set()
