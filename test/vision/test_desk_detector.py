"""Tests of the desk detector with the real weights, on images of the simulated camera."""

from collections.abc import Iterator

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.vision import desk_detector
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.desk_detector import LABELS, STRIDE, DeskDetector, decode
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.scene_camera import SceneCamera

LOOKING_DOWN = head_transform(pitch=0.3)
FAR_AWAY = head_transform(x=-5.0)  # a camera pose behind the robot


@pytest.fixture(scope="module")
def detector() -> DeskDetector:
    return DeskDetector()


@pytest.fixture(scope="module")
def desk() -> Iterator[SceneCamera]:
    camera = SceneCamera("minimal", 320, 240)
    yield camera
    camera.close()


@pytest.fixture(scope="module")
def picture(desk: SceneCamera) -> Image:
    return desk.capture(LOOKING_DOWN, {})


def boxes(found: list[Detection]) -> dict[str, BoundingBox]:
    return {detection.label: detection.box for detection in found}


@pytest.mark.slow
def test_desk_detector_finds_each_object_once_at_its_position(detector: DeskDetector, picture: Image) -> None:
    found = detector.detect(picture)
    assert sorted(detection.label for detection in found) == sorted(LABELS)
    columns = {label: box.center[0] for label, box in boxes(found).items()}
    assert columns["duck"] < columns["croissant"] < columns["apple"]
    assert [d.confidence for d in found] == sorted((d.confidence for d in found), reverse=True)


@pytest.mark.slow
def test_detected_box_fits_rendered_object(detector: DeskDetector, picture: Image) -> None:
    camera = SceneCamera("minimal", 320, 240)
    without = camera.capture(LOOKING_DOWN, {"duck": FAR_AWAY})
    camera.close()
    rows, columns = np.nonzero((picture.astype(int) - without).any(axis=2))
    drawn = BoundingBox(columns.min(), rows.min(), columns.max() + 1, rows.max() + 1)
    assert boxes(detector.detect(picture))["duck"].overlap(drawn) > 0.7


@pytest.mark.slow
def test_desk_detector_finds_no_objects_on_empty_desk(detector: DeskDetector) -> None:
    camera = SceneCamera("minimal", 320, 240)
    empty = camera.capture(LOOKING_DOWN, dict.fromkeys(LABELS, FAR_AWAY))
    camera.close()
    assert detector.detect(empty) == []


@pytest.mark.nightly
def test_detected_boxes_are_in_pixels_of_input_image(detector: DeskDetector, picture: Image) -> None:
    small = boxes(detector.detect(picture))
    for width, height in ((640, 480), (640, 360)):
        camera = SceneCamera("minimal", width, height)
        large = boxes(detector.detect(camera.capture(LOOKING_DOWN, {})))
        camera.close()
        scale = height / 240  # the height determines the field of view
        for label in LABELS:
            x, y = small[label].center
            moved = width / 2 + (x - 160) * scale, height / 2 + (y - 120) * scale
            assert large[label].center == pytest.approx(moved, abs=4 * scale)


@pytest.mark.slow
def test_desk_detector_finds_no_objects_in_empty_surroundings(detector: DeskDetector) -> None:
    camera = SceneCamera("empty", 320, 240)
    assert detector.detect(camera.capture(np.eye(4), {})) == []
    camera.close()


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros((240, 320), np.uint8),
        np.zeros((240, 320, 1), np.uint8),
        np.zeros((240, 320, 4), np.uint8),
        np.zeros((0, 320, 3), np.uint8),
        np.zeros((240, 320, 3), np.float32),
    ],
    ids=["gray", "one channel", "transparent", "empty", "not bytes"],
)
def test_error_for_invalid_image_names_shape(detector: DeskDetector, wrong: Image) -> None:
    with pytest.raises(AgentError, match=" x ".join(map(str, wrong.shape))) as refusal:
        detector.detect(wrong)
    assert refusal.value.code is ErrorCode.INVALID_GOAL


def test_desk_detector_rejects_weights_with_wrong_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    other = PackagedWeights("reachy_agent_ros", "vision/weights", {"desk_detector.onnx": "0" * 64})
    monkeypatch.setattr(desk_detector, "WEIGHTS", other)
    with pytest.raises(AgentError, match="not the pinned file") as refusal:
        DeskDetector()
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_cell_distances_are_decoded_into_box() -> None:
    quality = np.zeros((3, 30, 40), np.float32)
    distances = np.zeros((4, 30, 40), np.float32)
    quality[2, 5, 7] = 0.75
    distances[:, 5, 7] = (1.0, 2.0, 3.0, 4.0)
    x, y = 7.5 * STRIDE, 5.5 * STRIDE
    assert decode(quality, distances, 0.5) == [Detection("duck", 0.75, BoundingBox(x - 1.0, y - 2.0, x + 3.0, y + 4.0))]
    assert decode(quality, distances, 0.8) == []
