from __future__ import annotations

import hashlib
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.weights import PackagedWeights, check_sum_beside


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "some_weights" / "data"
    folder.mkdir(parents=True)
    (tmp_path / "some_weights" / "__init__.py").write_text("raise ImportError('drags in a framework')")
    (folder / "model.bin").write_bytes(b"weights")
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    return folder


def weights(digest: str) -> PackagedWeights:
    return PackagedWeights("some_weights", "data", {"model.bin": digest})


def test_pinned_weights_are_found_without_import_of_their_package(package: Path) -> None:
    assert weights(hashlib.sha256(b"weights").hexdigest()).verified() == package


def test_rejects_weights_with_wrong_checksum(package: Path) -> None:
    (package / "model.bin").write_bytes(b"other weights")
    with pytest.raises(AgentError, match="not the pinned file") as refusal:
        weights(hashlib.sha256(b"weights").hexdigest()).verified()
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_missing_weights_file_is_named_in_error(package: Path) -> None:
    (package / "model.bin").unlink()
    with pytest.raises(AgentError, match=r"model\.bin cannot be read"):
        weights("0").verified()


def test_missing_weights_package_is_named_in_error() -> None:
    with pytest.raises(AgentError, match="no_such_weights is not installed"):
        PackagedWeights("no_such_weights", "data", {}).verified()


def test_verifies_user_weights_against_optional_checksum_file(tmp_path: Path) -> None:
    file, beside = tmp_path / "own.onnx", tmp_path / "own.onnx.sha256"
    file.write_bytes(b"weights")
    check_sum_beside(file)
    beside.write_text(f"{hashlib.sha256(b'weights').hexdigest()}  own.onnx\n")
    check_sum_beside(file)
    file.write_bytes(b"Weights")
    with pytest.raises(AgentError, match=r"own\.onnx is not the pinned file"):
        check_sum_beside(file)


@pytest.mark.parametrize("content", [b"", b" \n", b"\xff\xfe"])
def test_rejects_weights_with_unreadable_checksum(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "own.onnx.sha256").write_bytes(content)
    with pytest.raises(AgentError, match="Cannot read a SHA-256"):
        check_sum_beside(tmp_path / "own.onnx")
