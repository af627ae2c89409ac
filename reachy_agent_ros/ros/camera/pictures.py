"""Pictures of the camera: subscriptions that last while somebody needs them, and conversions to and from messages."""

from __future__ import annotations

import array
import io
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import sensor_msgs.msg
from geometry_msgs.msg import PoseStamped
from PIL import Image as PillowImage
from rclpy.node import Node
from sensor_msgs.msg import CameraInfo, CompressedImage
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import CAMERA_FRAME
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, stamp_message, transform_from_pose
from reachy_agent_ros.ros.rclpy_ext.qos import LATEST, SENSOR
from reachy_agent_ros.vision.camera import Frame, HeadHistory, Image, Intrinsics, jpeg

_LINGER = 3.0
"""s to go on after the last need: whoever asked once asks again, and joining anew would cost each time."""

_STALE = 0.6
"""s without a picture after which the last one is old: several periods of a camera."""

_FIRST_PICTURE = 2.0
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
        if self._subscription is not None and time.monotonic() - self._needed > _LINGER:
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
            self._due = time.monotonic() + _FIRST_PICTURE + _STALE
            self._subscriptions = [
                self._node.create_subscription(CameraInfo, names.CAMERA_INFO, self._remember, LATEST),
                self._node.create_subscription(CompressedImage, names.IMAGE, self._receive, LATEST),
            ]

    def relax(self) -> None:
        """Asks no longer, if nobody has needed pictures for a while. To be called now and then."""
        if self._subscriptions and time.monotonic() - self._needed > _LINGER:
            for subscription in self._subscriptions:
                self._node.destroy_subscription(subscription)
            self._subscriptions = []
        self._heads.relax()

    def _remember(self, info: CameraInfo) -> None:
        self._info = info

    def _receive(self, image: CompressedImage) -> None:
        self._due = time.monotonic() + _STALE
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


def frame_of(image: CompressedImage, info: CameraInfo, head: Matrix) -> Frame:
    """The picture that these messages and a head pose are about.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` for data that is no picture.
    """
    try:
        with PillowImage.open(io.BytesIO(image.data)) as encoded:
            pixels = np.asarray(encoded.convert("RGB"))
    except (OSError, ValueError) as error:
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, f"The camera gave a broken picture: {error}.") from error
    return Frame(pixels, seconds_of(image.header.stamp), head, intrinsics_of(info))


def frame_header(frame: Frame) -> Header:
    """Of everything that is published about a picture."""
    return Header(stamp=stamp_message(frame.stamp), frame_id=CAMERA_FRAME)


def raw_image_message(image: Image, header: Header) -> sensor_msgs.msg.Image:
    """An RGB picture without compression."""
    height, width, _ = image.shape
    pixels = array.array("B", image.tobytes())
    return sensor_msgs.msg.Image(
        header=header, height=height, width=width, encoding="rgb8", step=3 * width, data=pixels
    )


def image_message(image: Image, header: Header) -> CompressedImage:
    """JPEG of an RGB picture, with the format string of `compressed_image_transport`."""
    return CompressedImage(header=header, format="rgb8; jpeg compressed bgr8", data=array.array("B", jpeg(image)))


def camera_info_message(intrinsics: Intrinsics, header: Header) -> CameraInfo:
    """Pinhole camera without distortion."""
    focal, (cx, cy) = intrinsics.focal_length, intrinsics.centre
    return CameraInfo(
        header=header,
        width=intrinsics.width,
        height=intrinsics.height,
        distortion_model="plumb_bob",
        d=[0.0] * 5,
        k=[focal, 0.0, cx, 0.0, focal, cy, 0.0, 0.0, 1.0],
        r=[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0],
        p=[focal, 0.0, cx, 0.0, 0.0, focal, cy, 0.0, 0.0, 0.0, 1.0, 0.0],
    )


def intrinsics_of(info: CameraInfo) -> Intrinsics:
    """Of a camera without distortion whose focal length is the same along both axes, as ours publishes it."""
    return Intrinsics(info.width, info.height, float(info.k[0]))


def uncalibrated_info_message(image: Image, header: Header) -> CameraInfo:
    """Size only: a zero focal length says that nothing is known of the lens."""
    return CameraInfo(header=header, width=image.shape[1], height=image.shape[0])
