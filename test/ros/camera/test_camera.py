from __future__ import annotations

import io
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from geometry_msgs.msg import Point, Pose, PoseStamped, Quaternion
from numpy.typing import NDArray
from PIL import Image
from reachy_agent_msgs.msg import Heartbeat
from reachy_agent_msgs.srv import CaptureImage
from sensor_msgs.msg import CameraInfo, CompressedImage
from sensor_msgs.msg import Image as RawImage
from std_msgs.msg import Header

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.ros.rclpy_ext.heartbeat import HeartbeatMonitor
from reachy_agent_ros.ros.rclpy_ext.qos import SENSOR, STANDARD
from support.nodes.node_process import NodeProcess, Ros
from support.nodes.observed_calls import ServiceCaller
from support.waiting import wait_until


@dataclass
class Client:
    """Client that takes photos with the camera node."""

    ros: Ros

    def __post_init__(self) -> None:
        self.camera = HeartbeatMonitor(self.ros.node, names.CAMERA)
        self.pictures = ServiceCaller(self.ros.node, CaptureImage, names.CAPTURE_IMAGE, self.camera)

    def capture(self, view: int) -> CaptureImage.Response:
        return self.pictures.call(CaptureImage.Request(view=view), timeout=30.0)


def pixels(image: CompressedImage) -> NDArray[np.uint8]:
    with Image.open(io.BytesIO(bytes(image.data))) as decoded:
        return np.asarray(decoded)


def count_of_yellow(image: NDArray[np.uint8]) -> int:
    red, green, blue = (image[:, :, channel].astype(int) for channel in range(3))
    return int(((red > 180) & (green > 110) & (blue < 80)).sum())


@pytest.fixture(scope="module")
def client(ros: Ros) -> Iterator[Client]:
    with (
        NodeProcess("hardware_bridge", {"scene": "minimal"}) as bridge,
        NodeProcess("camera", {"scene": "minimal", "rate": 10.0}) as camera,
    ):
        bridge.wait_ready()
        camera.wait_ready()
        client = Client(ros)
        wait_until(lambda: client.camera.ready)
        yield client
        assert camera.stop() == 0


def test_simulated_camera_image_shows_duck(client: Client) -> None:
    response = client.capture(CaptureImage.Request.EYE)
    assert response.error_code == ErrorCode.NONE, response.error_msg
    image = pixels(response.image)
    assert image.shape == (480, 640, 3)
    assert count_of_yellow(image) > 200
    info = response.camera_info
    assert (info.width, info.height) == (640, 480)
    assert info.k[0] == pytest.approx(286.02, abs=0.01)
    assert info.header == response.image.header
    assert response.head_pose.orientation.w == pytest.approx(1.0, abs=0.01)
    assert info.header.frame_id == names.CAMERA_FRAME


def test_studio_view_shows_robot(client: Client) -> None:
    response = client.capture(CaptureImage.Request.STUDIO)
    assert response.error_code == ErrorCode.NONE, response.error_msg
    assert (pixels(response.image) > 200).all(axis=2).sum() > 5000
    assert response.camera_info.k[0] == 0.0


def test_camera_rejects_unknown_view(client: Client) -> None:
    assert client.capture(7).error_code == ErrorCode.INVALID_GOAL


def test_camera_publishes_images_with_camera_info_to_subscribers(client: Client, ros: Ros) -> None:
    images: list[CompressedImage] = []
    infos: list[CameraInfo] = []
    subscriptions = [
        ros.node.create_subscription(CompressedImage, names.IMAGE, images.append, SENSOR),
        ros.node.create_subscription(CameraInfo, names.CAMERA_INFO, infos.append, SENSOR),
    ]
    wait_until(lambda: len(images) > 2 and len(infos) > 2, "frames")
    for subscription in subscriptions:
        ros.node.destroy_subscription(subscription)
    lenses = {(info.header.stamp.sec, info.header.stamp.nanosec) for info in infos}
    assert sum((image.header.stamp.sec, image.header.stamp.nanosec) in lenses for image in images) > 1
    assert pixels(images[0]).shape == (480, 640, 3)


@pytest.mark.parametrize(("device", "reason"), [("", "No camera configured"), ("/dev/video99", "/dev/video99")])
def test_camera_node_without_camera_is_degraded_and_reports_reason(ros: Ros, device: str, reason: str) -> None:
    with NodeProcess("camera", {"robot": "daemon", "device": device}, name="daemon_camera") as camera:
        camera.wait_ready()
        watch = HeartbeatMonitor(ros.node, "daemon_camera")
        wait_until(lambda: watch.last is not None)
        assert watch.last is not None
        assert watch.last.state == Heartbeat.DEGRADED
        assert reason in watch.last.detail
        assert camera.stop() == 0


def test_photo_contains_head_pose_at_capture_time(client: Client, ros: Ros, tmp_path: Path) -> None:
    for number in range(99):
        Image.new("RGB", (64, 48), (200, 2 * number, 0)).save(tmp_path / f"picture_{number:02}.png")
    parameters = {"robot": "daemon", "device": str(tmp_path / "picture_%02d.png"), "width": 64, "height": 48}
    with NodeProcess("camera", parameters, name="real_camera", remap={"capture_image": "real_capture"}) as camera:
        camera.wait_ready()
        real = HeartbeatMonitor(ros.node, "real_camera")
        caller = ServiceCaller(ros.node, CaptureImage, "real_capture", real)
        response = caller.call(CaptureImage.Request(), timeout=10.0)
        assert camera.stop() == 0
    assert response.error_code == ErrorCode.NONE, response.error_msg
    assert pixels(response.image)[24, 32, 0] > 180
    assert response.camera_info.k[0] == pytest.approx(24 / math.tan(1.16 / 2))
    assert response.head_pose.orientation.w == pytest.approx(1.0, abs=0.01)


def test_panel_image_appears_in_front_of_simulated_camera(client: Client, ros: Ros, tmp_path: Path) -> None:
    Image.new("RGB", (40, 40), (0, 255, 0)).save(tmp_path / "green.png")
    parameters = {"panel_image": str(tmp_path / "green.png"), "width": 64, "height": 48}
    with NodeProcess("camera", parameters, name="panel_camera", remap={"capture_image": "panel_capture"}) as camera:
        camera.wait_ready()
        watch = HeartbeatMonitor(ros.node, "panel_camera")
        caller = ServiceCaller(ros.node, CaptureImage, "panel_capture", watch)
        before = pixels(caller.call(CaptureImage.Request(), timeout=10.0).image)
        board = ros.node.create_publisher(PoseStamped, names.PANEL_POSE, STANDARD)
        wait_until(lambda: board.get_subscription_count() > 1, "the camera to hear of the board")
        place = Pose(position=Point(x=0.5, z=0.2), orientation=Quaternion(z=1.0, w=0.0))
        board.publish(PoseStamped(header=Header(frame_id=names.BASE_FRAME), pose=place))
        wait_until(lambda: is_green(pixels(caller.call(CaptureImage.Request(), timeout=10.0).image)), "the board")
        ros.node.destroy_publisher(board)
        assert camera.stop() == 0
    assert not is_green(before)


def is_green(image: NDArray[np.uint8]) -> bool:
    red, green, blue = image[24, 32]
    return bool(green > 2 * max(int(red), int(blue), 20))


def test_camera_publishes_raw_images_if_enabled(client: Client, ros: Ros) -> None:
    images: list[RawImage] = []
    parameters = {"raw": True, "width": 32, "height": 24}
    with NodeProcess("camera", parameters, name="raw_camera", remap={"capture_image": "raw_capture"}) as camera:
        camera.wait_ready()
        subscription = ros.node.create_subscription(RawImage, names.IMAGE_RAW, images.append, STANDARD)
        wait_until(lambda: bool(images), "a picture")
        ros.node.destroy_subscription(subscription)
        assert camera.stop() == 0
    assert (images[0].width, images[0].height, images[0].encoding, images[0].step) == (32, 24, "rgb8", 96)
    assert len(images[0].data) == 32 * 24 * 3


def test_camera_node_without_renderer_is_degraded_and_reports_package_to_install(ros: Ros) -> None:
    with NodeProcess("camera", name="blind_camera", environment={"MUJOCO_GL": "disable"}) as camera:
        camera.wait_ready()
        watch = HeartbeatMonitor(ros.node, "blind_camera")
        wait_until(lambda: watch.last is not None)
        assert watch.last is not None
        assert watch.last.state == Heartbeat.DEGRADED
        assert "libegl-mesa0" in watch.last.detail
