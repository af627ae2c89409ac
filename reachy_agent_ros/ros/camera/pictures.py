"""Camera images in ROS: subscriptions on demand, and conversion to and from messages."""

from __future__ import annotations

import array
import threading
import time
from collections.abc import Callable
from typing import Any

import sensor_msgs.msg
from geometry_msgs.msg import PoseStamped
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
from reachy_agent_ros.vision.image_file import decode_image

_LINGER = 3.0
"""Time for which a subscription is kept after its last use, s: another use is likely, and subscribing takes time."""

_STALE = 0.6
"""Time without a new picture after which the last one is outdated, s: several periods of the camera."""

_FIRST_PICTURE = 2.0
"""Additional time for the first picture, s: the camera starts once it has discovered a subscriber."""


class HeadListener:
    """History of head poses, which subscribes only on demand. Call its methods in the executor's thread.

    Args:
        node: Node that subscribes. Its executor runs the callbacks.

    Attributes:
        history: Received head poses. Thread-safe.
    """

    def __init__(self, node: Node) -> None:
        self.history = HeadHistory()
        self._node = node
        self._subscription: Any = None
        self._needed = -float("inf")

    def need(self) -> None:
        """Subscribes to head poses, or keeps an existing subscription for longer."""
        self._needed = time.monotonic()
        if self._subscription is None:
            self._subscription = self._node.create_subscription(PoseStamped, names.HEAD_POSE, self._remember, SENSOR)

    def relax(self) -> None:
        """Unsubscribes from head poses if `need` was not called recently. Call this regularly."""
        if self._subscription is not None and time.monotonic() - self._needed > _LINGER:
            self._node.destroy_subscription(self._subscription)
            self._subscription = None

    def _remember(self, message: PoseStamped) -> None:
        self.history.add(seconds_of(message.header.stamp), transform_from_pose(message.pose))


class FrameStream:
    """Source of camera images with head poses, which subscribes only on demand. Use in the executor's thread.

    Args:
        node: Node that subscribes. Its executor runs the callbacks.
        heads: History of head poses.
        take: Called with a function for each picture. The function decodes the picture, which takes a few ms, and
            raises `AgentError` if the picture is damaged or the head pose is unknown.
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
        """Whether pictures are overdue, which distinguishes a frozen camera from a still scene."""
        return self.listening and time.monotonic() > self._due

    @property
    def listening(self) -> bool:
        """Whether the object is subscribed to pictures."""
        return bool(self._subscriptions)

    def need(self) -> None:
        """Subscribes to pictures, or keeps an existing subscription for longer."""
        self._needed = time.monotonic()
        self._heads.need()
        if not self._subscriptions:
            self._due = time.monotonic() + _FIRST_PICTURE + _STALE
            self._subscriptions = [
                self._node.create_subscription(CameraInfo, names.CAMERA_INFO, self._remember, LATEST),
                self._node.create_subscription(CompressedImage, names.IMAGE, self._receive, LATEST),
            ]

    def relax(self) -> None:
        """Unsubscribes from pictures if `need` was not called recently. Call this regularly."""
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
        if info is not None:  # the camera info arrives shortly after the first picture
            self._take(lambda: frame_of(image, info, self._heads.history.at(seconds_of(image.header.stamp))))


class NextMessage:
    """Waiter for the first message on a topic.

    Create and close it in the executor's thread. Wait in a worker thread.

    Args:
        node: Node that subscribes. Its executor must be spinning.
        message_type: Message type, for example `sensor_msgs.msg.JointState`.
        topic: Topic name.
    """

    def __init__(self, node: Node, message_type: type, topic: str) -> None:
        self._node = node
        self._topic = topic
        self._message: Any = None
        self._arrived = threading.Event()
        self._subscription = node.create_subscription(message_type, topic, self._receive, SENSOR)

    def wait(self, timeout: float) -> Any:
        """Waits for the message and returns it.

        Args:
            timeout: Time limit, s.


        Raises:
            AgentError: `SERVER_UNAVAILABLE` if no message arrives in time.
        """
        if not self._arrived.wait(timeout):
            raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"No message arrived on {self._topic} within {timeout:g} s.")
        return self._message

    def close(self) -> None:
        """Ends the subscription."""
        self._node.destroy_subscription(self._subscription)

    def _receive(self, message: Any) -> None:
        self._message = message
        self._arrived.set()


def frame_of(image: CompressedImage, info: CameraInfo, head: Matrix) -> Frame:
    """Returns the frame of an image, with its camera info and head pose.

    Raises:
        AgentError: `CAMERA_UNAVAILABLE` if the data is not a picture.
    """
    try:
        pixels = decode_image(image.data)
    except AgentError as error:
        message = f"The camera sent an invalid picture: {error.message}"
        raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error
    return Frame(pixels, seconds_of(image.header.stamp), head, intrinsics_of(info))


def frame_header(frame: Frame) -> Header:
    """Returns the header for messages about a frame."""
    return Header(stamp=stamp_message(frame.stamp), frame_id=CAMERA_FRAME)


def raw_image_message(image: Image, header: Header) -> sensor_msgs.msg.Image:
    """Returns the uncompressed image message of an RGB picture."""
    height, width, _ = image.shape
    pixels = array.array("B", image.tobytes())
    return sensor_msgs.msg.Image(
        header=header, height=height, width=width, encoding="rgb8", step=3 * width, data=pixels
    )


def image_message(image: Image, header: Header) -> CompressedImage:
    """Returns the JPEG image message of an RGB picture, with the format string of `compressed_image_transport`."""
    return CompressedImage(header=header, format="rgb8; jpeg compressed bgr8", data=array.array("B", jpeg(image)))


def camera_info_message(intrinsics: Intrinsics, header: Header) -> CameraInfo:
    """Returns the camera info of a pinhole camera without distortion."""
    focal, (cx, cy) = intrinsics.focal_length, intrinsics.center
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
    """Returns the intrinsics of a camera without distortion and with equal focal lengths, as published by this node."""
    return Intrinsics(info.width, info.height, float(info.k[0]))


def uncalibrated_info_message(image: Image, header: Header) -> CameraInfo:
    """Returns a camera info that contains only the image size. Its focal length of zero means an unknown lens."""
    return CameraInfo(header=header, width=image.shape[1], height=image.shape[0])
