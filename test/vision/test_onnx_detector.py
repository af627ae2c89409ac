from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.onnx_detector import OnnxDetector
from support.networks import constant_network

NAMES = {0: "apple", 1: "croissant", 2: "duck"}
BLACK = np.zeros((240, 320, 3), np.uint8)

COLUMNS = np.array([[[100, 60, 40, 20, 0.1, 0.2, 0.9], [101, 60, 40, 20, 0.1, 0.2, 0.6]] + [[0] * 7] * 8]).mT
ROWS = np.array([[[100, 60, 40, 20, 0.9, 0.1, 0.2, 1.0]] + [[0] * 8] * 9])
FINAL = np.array([[[80, 50, 120, 70, 0.9, 2]] + [[0] * 6] * 9])


@pytest.mark.parametrize("output", [COLUMNS, ROWS, FINAL, FINAL[0]], ids=["columns", "rows", "final", "flat"])
def test_all_network_output_layouts_are_decoded_to_same_box(output: np.ndarray, tmp_path: Path) -> None:
    detector = OnnxDetector(constant_network(tmp_path / "net.onnx", output, names=NAMES))
    [found] = detector.detect(BLACK)
    assert found.label == "duck"
    assert found.confidence == pytest.approx(0.9)
    assert found.box == pytest.approx((80, 50, 120, 70))
    assert detector.labels == ("apple", "croissant", "duck")
    assert detector.name == "onnx:net.onnx"


def test_onnx_detector_boxes_are_in_pixels_of_image(tmp_path: Path) -> None:
    detector = OnnxDetector(constant_network(tmp_path / "net.onnx", FINAL, size=(320, 320), names=NAMES))
    [found] = detector.detect(np.zeros((480, 640, 3), np.uint8))
    # The network gets the image at half size, below 40 gray rows.
    assert found.box == pytest.approx((160, 20, 240, 60), abs=0.5)


def test_onnx_detector_clips_boxes_to_image(tmp_path: Path) -> None:
    output = np.array([[[-20, 200, 50, 300, 0.9, 0], [-20, -20, -5, -5, 0.9, 1]]])
    [found] = OnnxDetector(constant_network(tmp_path / "net.onnx", output, names=NAMES)).detect(BLACK)
    assert found.box == pytest.approx((0, 200, 50, 240))


def test_network_input_is_rgb_from_zero_to_one(tmp_path: Path) -> None:
    detector = OnnxDetector(constant_network(tmp_path / "net.onnx", FINAL, names=NAMES))
    [found] = detector.detect(np.full((240, 320, 3), 255, np.uint8))
    assert found.box.x0 == pytest.approx(81.0)


def test_dynamic_input_size_defaults_to_640_pixels(tmp_path: Path) -> None:
    detector = OnnxDetector(constant_network(tmp_path / "net.onnx", FINAL, size=("height", "width"), names=NAMES))
    [found] = detector.detect(np.zeros((640, 640, 3), np.uint8))
    assert found.box == pytest.approx((80, 50, 120, 70))


def test_label_file_overrides_embedded_labels(tmp_path: Path) -> None:
    path = constant_network(tmp_path / "net.onnx", FINAL, names=NAMES)
    path.with_suffix(".txt").write_text("pomme\ncroissant\ncanard\n")
    assert OnnxDetector(path).detect(BLACK)[0].label == "canard"


def test_detections_of_classes_without_label_are_dropped(tmp_path: Path) -> None:
    path = constant_network(tmp_path / "net.onnx", FINAL, names={0: "apple", 1: "croissant"})
    assert OnnxDetector(path).detect(BLACK) == []


def test_row_count_determines_layout_of_output_with_six_columns(tmp_path: Path) -> None:
    few = constant_network(tmp_path / "few.onnx", np.array([[[80, 50, 120, 70, 0.9, 0]]]), names={0: "duck"})
    many = constant_network(
        tmp_path / "many.onnx", np.array([[[100, 60, 40, 20, 0.9, 1]] + [[0] * 6] * 1000]), names={0: "duck"}
    )
    for path in (few, many):
        assert OnnxDetector(path).detect(BLACK)[0].box == pytest.approx((80, 50, 120, 70))


def test_rejects_invalid_label_metadata_in_network(tmp_path: Path) -> None:
    path = constant_network(tmp_path / "net.onnx", FINAL, names=NAMES)
    path.write_bytes(path.read_bytes().replace(b"ReduceMean", b"\xff" * 10))
    with pytest.raises(AgentError) as refused:
        OnnxDetector(path)
    assert refused.value.code is ErrorCode.DETECTOR_UNAVAILABLE


def test_rejects_network_with_wrong_checksum(tmp_path: Path) -> None:
    path = constant_network(tmp_path / "net.onnx", FINAL, names=NAMES)
    beside = tmp_path / "net.onnx.sha256"
    beside.write_text(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  net.onnx\n")
    OnnxDetector(path)
    beside.write_text(f"{'0' * 64}  net.onnx\n")
    refused(path, "SHA-256", ErrorCode.MODEL_UNAVAILABLE)
    beside.write_text("")
    refused(path, "SHA-256", ErrorCode.MODEL_UNAVAILABLE)


def test_error_for_unsupported_network_contains_reason(tmp_path: Path) -> None:
    refused(tmp_path / "absent.onnx", "cannot be read")
    (tmp_path / "broken.onnx").write_bytes(b"no network")
    refused(tmp_path / "broken.onnx", "not a valid ONNX network")
    refused(constant_network(tmp_path / "nameless.onnx", FINAL), "nameless.txt")
    refused(constant_network(tmp_path / "gray.onnx", FINAL, channels=1, names=NAMES), "[1, 1, 240, 320]")
    refused(constant_network(tmp_path / "odd.onnx", np.zeros((1, 9, 10)), names=NAMES), "[1, 9, 10] with 3 labels")
    path = constant_network(tmp_path / "net.onnx", FINAL, names=NAMES)
    path.with_suffix(".txt").write_bytes(b"\xff\xfe\xff")
    refused(path, "labels")


def refused(path: Path, why: str, code: ErrorCode = ErrorCode.DETECTOR_UNAVAILABLE) -> None:
    with pytest.raises(AgentError) as caught:
        OnnxDetector(path)
    assert caught.value.code is code
    assert why in caught.value.message
    assert path.name in caught.value.message
