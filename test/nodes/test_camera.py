from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pytest
from node_process import NodeProcess, Ros
from numpy.typing import NDArray
from PIL import Image
from reachy_agent_msgs.msg import Heartbeat
from reachy_agent_msgs.srv import CaptureImage
from sensor_msgs.msg import CameraInfo, CompressedImage
from waiting import wait_until

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.nodes.calls import ServiceCaller
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch
from reachy_agent_ros.nodes.qos import SENSOR


@dataclass
class Client:
    """Takes pictures."""

    ros: Ros

    def __post_init__(self) -> None:
        self.camera = HeartbeatWatch(self.ros.node, names.CAMERA)
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
        bridge.wait_ready(60.0)
        camera.wait_ready(60.0)
        client = Client(ros)
        wait_until(lambda: client.camera.ready, 10.0)
        yield client
        assert camera.stop() == 0


def test_the_eye_sees_the_duck(client: Client) -> None:
    response = client.capture(CaptureImage.Request.EYE)
    assert response.error_code == ErrorCode.NONE, response.error_msg
    image = pixels(response.image)
    assert image.shape == (480, 640, 3)
    assert count_of_yellow(image) > 200
    info = response.camera_info
    assert (info.width, info.height) == (640, 480)
    assert info.k[0] == pytest.approx(286.02, abs=0.01)
    assert info.header == response.image.header
    assert info.header.frame_id == names.CAMERA_FRAME


def test_the_studio_shows_the_robot_and_the_node_stays_alive(client: Client) -> None:
    response = client.capture(CaptureImage.Request.STUDIO)
    assert response.error_code == ErrorCode.NONE, response.error_msg
    assert (pixels(response.image) > 200).all(axis=2).sum() > 5000
    assert response.camera_info.k[0] == 0.0


def test_an_unknown_view_is_an_error(client: Client) -> None:
    assert client.capture(7).error_code == ErrorCode.INVALID_GOAL


def test_frames_come_with_their_lens_while_somebody_watches(client: Client, ros: Ros) -> None:
    images: list[CompressedImage] = []
    infos: list[CameraInfo] = []
    subscriptions = [
        ros.node.create_subscription(CompressedImage, names.IMAGE, images.append, SENSOR),
        ros.node.create_subscription(CameraInfo, names.CAMERA_INFO, infos.append, SENSOR),
    ]
    wait_until(lambda: len(images) > 2 and len(infos) > 2, 20.0, "frames")
    for subscription in subscriptions:
        ros.node.destroy_subscription(subscription)
    lenses = {(info.header.stamp.sec, info.header.stamp.nanosec) for info in infos}
    assert sum((image.header.stamp.sec, image.header.stamp.nanosec) in lenses for image in images) > 1
    assert pixels(images[0]).shape == (480, 640, 3)


def test_a_daemon_s_camera_is_degraded_and_says_why(ros: Ros) -> None:
    with NodeProcess("camera", {"robot": "daemon"}, name="daemon_camera") as camera:
        camera.wait_ready(30.0)
        watch = HeartbeatWatch(ros.node, "daemon_camera")
        wait_until(lambda: watch.last is not None, 5.0)
        assert watch.last is not None
        assert watch.last.state == Heartbeat.DEGRADED
        assert "media stream" in watch.last.detail
        assert camera.stop() == 0


def test_a_machine_that_cannot_draw_is_degraded_and_says_what_to_install(ros: Ros) -> None:
    with NodeProcess("camera", name="blind_camera", environment={"MUJOCO_GL": "disable"}) as camera:
        camera.wait_ready(30.0)
        watch = HeartbeatWatch(ros.node, "blind_camera")
        wait_until(lambda: watch.last is not None, 5.0)
        assert watch.last is not None
        assert watch.last.state == Heartbeat.DEGRADED
        assert "libegl-mesa0" in watch.last.detail
