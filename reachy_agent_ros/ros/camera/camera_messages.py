"""Pictures and lenses as standard messages."""

from __future__ import annotations

import array
import io

import numpy as np
import sensor_msgs.msg
from PIL import Image as PillowImage
from sensor_msgs.msg import CameraInfo, CompressedImage
from std_msgs.msg import Header

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import CAMERA_FRAME
from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of, stamp_message
from reachy_agent_ros.vision.camera import Frame, Image, Intrinsics, jpeg


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
