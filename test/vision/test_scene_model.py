from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.scene_camera import SceneCamera
from reachy_agent_ros.vision.scene_model import PANEL, Panel
from support.huge_png import huge_png

HEIGHT = 0.3
EYE = np.array([0.0395, 0.0, 0.177 + 0.0525])
DISTANCE = 0.8


@pytest.fixture(scope="module")
def eye() -> Iterator[SceneCamera]:
    image = np.zeros((60, 120, 3), np.uint8)
    image[:, :60, 0] = image[:30, 60:, 1] = 255  # left: red; upper right: green; lower right: black
    camera = SceneCamera("empty", 320, 240, Panel(image, HEIGHT))
    yield camera
    camera.close()


def shown(eye: SceneCamera, yaw: float = np.pi) -> Image:
    pose = head_transform(0.0, 0.0, yaw, EYE[0] + DISTANCE, EYE[1], EYE[2])
    return eye.capture(np.eye(4), {PANEL: pose})


def red(image: Image) -> tuple[float, float, int, int]:
    """Returns the mean column and mean row of the red pixels, and the width and height of their area."""
    rows, columns = np.nonzero((image[:, :, 0] > 120) & (image[:, :, 1:] < 60).all(axis=2))
    return float(columns.mean()), float(rows.mean()), int(np.ptp(columns)) + 1, int(np.ptp(rows)) + 1


@pytest.mark.slow
def test_image_panel_is_invisible_before_it_is_moved() -> None:
    pictures = []
    for panel in (None, Panel(np.full((8, 8, 3), 255, np.uint8), HEIGHT)):
        camera = SceneCamera("minimal", 320, 240, panel)
        pictures.append(camera.capture(head_transform(pitch=0.4), {}).astype(int))
        camera.close()
    assert np.abs(pictures[0] - pictures[1]).max() < 5


@pytest.mark.slow
def test_image_on_panel_is_upright_and_not_mirrored(eye: SceneCamera) -> None:
    image = shown(eye)
    assert image[105, 145, 0] > 120 > 60 > image[105, 145, 1]
    assert image[105, 175, 1] > 120 > 60 > image[105, 175, 0]
    assert (image[135, 175] < 60).all()


def test_image_panel_has_requested_size(eye: SceneCamera) -> None:
    column, row, width, height = red(shown(eye))
    side = eye.intrinsics.focal_length * HEIGHT / DISTANCE
    assert (width, height) == pytest.approx((side, side), abs=2)
    assert (column, row) == pytest.approx((160.0 - side / 2.0, 120.0), abs=1.5)


def test_error_for_invalid_panel_image_names_file(tmp_path: Path) -> None:
    file = tmp_path / "face.jpg"
    for content in (None, b"no picture", huge_png(30_000)):
        if content is not None:
            file.write_bytes(content)
        with pytest.raises(AgentError, match=r"Cannot show .*face\.jpg") as refusal:
            Panel.read(file, HEIGHT)
        assert refusal.value.code is ErrorCode.CAMERA_UNAVAILABLE
