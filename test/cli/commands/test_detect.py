from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from PIL import Image as PillowImage

from evaluation.vision.photographs import portraits
from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.testing.scripted_endpoint import ScriptedAnswer, ScriptedEndpoint
from support.networks import constant_network

FIELDS = {"file", "detections", "cpu_ms"}
FOUND = np.array([[[80, 50, 120, 70, 0.9, 0]]])


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    path = tmp_path / "desk.png"
    PillowImage.fromarray(np.zeros((240, 320, 3), np.uint8)).save(path)
    return path


@pytest.fixture
def network(tmp_path: Path) -> str:
    return f"onnx:{constant_network(tmp_path / 'net.onnx', FOUND, names={0: 'duck', 1: 'apple'})}"


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_detect_prints_one_json_line_per_file_including_errors(
    picture: Path, network: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    broken, cut, absent = (tmp_path / name for name in ("broken.jpg", "cut.png", "absent.png"))
    broken.write_bytes(b"no picture")
    cut.write_bytes(picture.read_bytes()[:60])
    files = [picture, broken, cut, absent, tmp_path]
    assert main(["detect", *map(str, files), "--detector", network, "--json"]) == 1
    first, *others = lines(capsys)
    assert set(first) == FIELDS
    assert first["file"] == str(picture)
    assert first["detections"] == [{"label": "duck", "confidence": 0.9, "box": [80, 50, 120, 70]}]
    assert first["cpu_ms"] > 0.0
    for line, file in zip(others, files[1:], strict=True):
        assert line["file"] == str(file)
        assert line["detections"] == []
        assert str(file) in line["error"]


def test_detect_applies_exif_orientation_of_photo(
    tmp_path: Path, network: str, capsys: pytest.CaptureFixture[str]
) -> None:
    exif = PillowImage.Exif()
    exif[0x0112] = 6  # the camera was rotated by 90 degrees
    path = tmp_path / "held.jpg"
    PillowImage.fromarray(np.zeros((320, 240, 3), np.uint8).transpose(1, 0, 2)).save(path, exif=exif)
    assert main(["detect", str(path), "--detector", network, "--json"]) == 0
    [line] = lines(capsys)
    [found] = line["detections"]
    assert max(found["box"]) < 240  # the upright image is 240 wide; boxes are scaled from the network's 320


def test_detect_uses_vision_model(picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    duck = {"label": "duck", "confidence": 0.8, "left": 0, "top": 0, "right": 500, "bottom": 500}
    with ScriptedEndpoint([ScriptedAnswer(json.dumps({"objects": [duck]}))]) as endpoint:
        arguments = ["--detector", "endpoint", "--endpoint", endpoint.url, "--model", "gemma3:4b", "--json"]
        assert main(["detect", str(picture), *arguments]) == 0
    [line] = lines(capsys)
    assert line["detections"] == [{"label": "duck", "confidence": 0.8, "box": [0, 0, 160, 120]}]


def test_detect_finds_face_in_portrait(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    portrait = portraits()[0]
    path = tmp_path / "portrait.png"
    PillowImage.fromarray(portrait.image).save(path)
    assert main(["detect", str(path), "--json"]) == 0
    [line] = lines(capsys)
    assert "face" in [one["label"] for one in line["detections"]]


def test_detect_prints_readable_text(picture: Path, network: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", str(picture), "--detector", network]) == 0
    assert capsys.readouterr().out == f"{picture}: duck 0.90 at [80.0, 50.0, 120.0, 70.0]\n"


@pytest.mark.parametrize("detector", ["onnx:/no/such/net.onnx", "endpoint", "cat", "onnx:"])
def test_detect_fails_if_detector_is_missing(detector: str, picture: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["detect", str(picture), "--detector", detector, "--json"]) != 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith("reachy-agent detect: ")
