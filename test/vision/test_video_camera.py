"""Tests of the video camera with a video file and a folder of images. OpenCV reads both like a camera."""

from __future__ import annotations

import math
from pathlib import Path

import cv2
import numpy as np
import pytest
import yaml

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.camera import HeadHistory, Image
from reachy_agent_ros.vision.video_camera import VideoCamera

UPRIGHT = 1.16
DISTORTION = [-0.35, 0.12, 0.001, -0.001, 0.0]
FOCAL = 280.0


def scene(number: int) -> Image:
    """Returns images that are red on the left and blue on the right.

    Each image is brighter than the previous image.
    """
    image = np.zeros((240, 320, 3), np.uint8)
    image[:, :160, 2] = image[:, 160:, 0] = 100 + 10 * number
    return image


@pytest.fixture
def film(tmp_path: Path) -> str:
    writer = cv2.VideoWriter(str(tmp_path / "film.avi"), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (320, 240))
    for number in range(12):
        writer.write(scene(number))
    writer.release()
    return str(tmp_path / "film.avi")


@pytest.fixture
def pictures(tmp_path: Path) -> str:
    for number in range(12):
        cv2.imwrite(str(tmp_path / f"picture_{number:02}.png"), scene(number))
    return str(tmp_path / "picture_%02d.png")


@pytest.fixture(params=["film", "pictures"])
def device(request: pytest.FixtureRequest) -> str:
    name: str = request.getfixturevalue(request.param)
    return name


def test_video_camera_reads_new_images_in_rgb(device: str) -> None:
    camera = VideoCamera(device, 320, 240, UPRIGHT)
    camera.open()
    images = [camera.read()[0] for _ in range(3)]
    camera.close()
    assert images[0].shape == (240, 320, 3)
    assert images[0][120, 60, 0] > 80 > images[0][120, 60, 2]
    assert images[0][120, 260, 2] > 80 > images[0][120, 260, 0]
    brightness = [float(image[120, 60, 0]) for image in images]
    assert brightness == sorted(brightness)
    assert brightness[0] < brightness[-1]


def test_scaled_camera_image_keeps_field_of_view(device: str) -> None:
    camera = VideoCamera(device, 160, 120, UPRIGHT)
    camera.open()
    assert camera.read()[0].shape == (120, 160, 3)
    assert camera.intrinsics.focal_length == pytest.approx(60.0 / math.tan(UPRIGHT / 2.0))
    camera.close()


def test_camera_frame_has_head_pose_at_capture_time(device: str) -> None:
    heads = HeadHistory()
    heads.add(4e9, head_transform(yaw=0.2))
    camera = VideoCamera(device, 320, 240, UPRIGHT)
    frame = camera.look(heads, {}, 0.0)
    camera.close()
    assert np.allclose(frame.head, head_transform(yaw=0.2))
    assert frame.stamp < 4e9


def test_video_camera_reopens_device_after_error(film: str) -> None:
    camera = VideoCamera(film, 320, 240, UPRIGHT)
    with pytest.raises(AgentError, match="stopped sending images") as caught:
        [camera.read() for _ in range(20)]
    assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE
    camera.read()
    camera.close()
    camera.close()


def test_error_names_missing_device(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="video99") as caught:
        VideoCamera("/dev/video99", 320, 240, UPRIGHT).open()
    assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE


ENDLESS = """
image_width: .inf
image_height: 240
camera_matrix: {data: [1, 0, 0, 0, 1, 0, 0, 0, 1]}
distortion_coefficients: {data: []}
"""


def calibration(folder: Path) -> Path:
    content = {
        "image_width": 320,
        "image_height": 240,
        "camera_matrix": {"rows": 3, "cols": 3, "data": [FOCAL, 0.0, 155.0, 0.0, FOCAL, 123.0, 0.0, 0.0, 1.0]},
        "distortion_coefficients": {"rows": 1, "cols": 5, "data": DISTORTION},
    }
    file = folder / "eye.yaml"
    file.write_text(yaml.safe_dump(content))
    return file


def test_calibrated_image_matches_pinhole_model(tmp_path: Path) -> None:
    direction = np.array([[0.3, 0.2, 1.0]])
    matrix = np.array([[FOCAL, 0.0, 155.0], [0.0, FOCAL, 123.0], [0.0, 0.0, 1.0]])
    (distorted,), _ = cv2.projectPoints(direction, np.zeros(3), np.zeros(3), matrix, np.array(DISTORTION))
    image = np.zeros((240, 320, 3), np.uint8)
    cv2.circle(image, tuple(int(value) for value in distorted[0].round()), 3, (255, 255, 255), -1)
    for number in range(4):
        cv2.imwrite(str(tmp_path / f"dot_{number}.png"), image)
    camera = VideoCamera(str(tmp_path / "dot_%d.png"), 320, 240, UPRIGHT, calibration(tmp_path))
    straight, _ = camera.read()
    camera.close()
    rows, columns = np.nonzero(straight[:, :, 0] > 100)
    focal, (cx, cy) = camera.intrinsics.focal_length, camera.intrinsics.center
    assert focal == pytest.approx(FOCAL)
    assert columns.mean() + 0.5 == pytest.approx(cx + 0.3 * focal, abs=1.0)
    assert rows.mean() + 0.5 == pytest.approx(cy + 0.2 * focal, abs=1.0)


@pytest.mark.slow
@pytest.mark.parametrize("content", ["", "image_width: many", "[1, 2", "[" * 2000, "image_width: !!int ''", ENDLESS])
def test_error_names_invalid_calibration_file(tmp_path: Path, pictures: str, content: str) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(content)
    with pytest.raises(AgentError, match=r"odd\.yaml is not a calibration"):
        VideoCamera(pictures, 320, 240, UPRIGHT, file).open()
