"""The eye's pictures as they come, but only while somebody needs them: nobody draws what nobody looks at."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, CompressedImage

from reachy_agent_ros.core import names
from reachy_agent_ros.ros.camera.camera_messages import frame_of
from reachy_agent_ros.ros.camera.head_listener import LINGER, HeadListener
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of
from reachy_agent_ros.ros.rclpy_ext.qos import LATEST
from reachy_agent_ros.vision.camera import Frame

STALE = 0.6
"""s without a picture after which the last one is old: several periods of a camera."""

FIRST_PICTURE = 2.0
"""s more for the first one, which the camera begins to draw when it has heard that somebody watches."""


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
