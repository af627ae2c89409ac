from collections.abc import Iterator

import numpy as np
import pytest

from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.scene_camera import SceneCamera

EYE_FORWARD = 0.0395
LEVEL = np.eye(4)
LOOKING_DOWN = head_transform(pitch=0.3)


@pytest.fixture(scope="module")
def eye() -> Iterator[SceneCamera]:
    camera = SceneCamera("minimal", 320, 240)
    yield camera
    camera.close()


def duck(image: Image) -> tuple[int, float, float]:
    """Returns the number of yellow pixels, and their mean column and mean row."""
    red, green, blue = (image[:, :, channel].astype(int) for channel in range(3))
    rows, columns = np.nonzero((red > 180) & (green > 110) & (blue < 60))
    return len(rows), float(columns.mean()), float(rows.mean())


@pytest.mark.slow
def test_simulated_camera_shows_duck_on_left(eye: SceneCamera) -> None:
    pixels, column, _ = duck(eye.capture(LOOKING_DOWN, {}))
    assert pixels > 100
    assert column < 120


def test_turning_head_shifts_image(eye: SceneCamera) -> None:
    _, column, row = duck(eye.capture(LOOKING_DOWN, {}))
    _, turned, _ = duck(eye.capture(head_transform(pitch=0.3, yaw=0.4), {}))
    _, _, raised = duck(eye.capture(head_transform(pitch=0.1), {}))
    assert turned > column + 20
    assert raised > row + 20


def test_distances_in_rendered_image_match_camera_intrinsics(eye: SceneCamera) -> None:
    forward, apart = 0.8, 0.2
    _, right, _ = duck(eye.capture(LEVEL, {"duck": head_transform(x=EYE_FORWARD + forward, y=0.0, z=0.2)}))
    _, left, _ = duck(eye.capture(LEVEL, {"duck": head_transform(x=EYE_FORWARD + forward, y=apart, z=0.2)}))
    assert right - left == pytest.approx(eye.intrinsics.focal_length * apart / forward, abs=5)


def test_object_keeps_its_position_in_rendered_scene(eye: SceneCamera) -> None:
    eye.capture(LOOKING_DOWN, {"duck": head_transform(x=0.6, z=0.05)})
    pixels, column, _ = duck(eye.capture(LOOKING_DOWN, {}))
    assert pixels > 100
    assert column == pytest.approx(160, abs=15)


@pytest.mark.slow
def test_camera_can_be_reopened_after_close(eye: SceneCamera) -> None:
    eye.close()
    eye.close()
    assert eye.capture(LOOKING_DOWN, {}).shape == (240, 320, 3)


@pytest.mark.slow
def test_camera_renders_empty_scene() -> None:
    camera = SceneCamera("empty", 64, 48)
    assert camera.capture(np.eye(4), {}).std() > 5.0
    camera.close()
