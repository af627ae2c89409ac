import hashlib
import io
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.checkpoint import Checkpoint


def test_checkpoint_is_unchanged_after_saving_and_loading(tmp_path: Path) -> None:
    Checkpoint({"a": np.arange(3)}, {"round": 2}).write(tmp_path / "c.npz")
    read = Checkpoint.read(tmp_path / "c.npz")
    assert read.facts == {"round": 2}
    np.testing.assert_array_equal(read.arrays["a"], np.arange(3))


@pytest.mark.parametrize("cut", [0, 10, 40, -1])
def test_rejects_truncated_checkpoint(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "c.npz"
    Checkpoint({"a": np.arange(3)}, {}).write(path)
    path.write_bytes(path.read_bytes()[:cut])
    with pytest.raises(AgentError, match="damaged") as caught:
        Checkpoint.read(path)
    assert caught.value.code is ErrorCode.STORAGE_FAILED


@pytest.mark.parametrize("facts", [b"[]", b"{}", b"5", b"[" * 5_000, b"\xff"])
def test_rejects_checkpoint_with_invalid_metadata_and_matching_checksum(tmp_path: Path, facts: bytes) -> None:
    content = io.BytesIO()
    np.savez(content, facts=np.frombuffer(facts, np.uint8))
    path = tmp_path / "c.npz"
    path.write_bytes(hashlib.sha256(content.getvalue()).digest() + content.getvalue())
    with pytest.raises(AgentError, match="is not a checkpoint") as caught:
        Checkpoint.read(path)
    assert caught.value.code is ErrorCode.STORAGE_FAILED


def test_reports_missing_checkpoint_as_not_found(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="Checkpoint not found"):
        Checkpoint.read(tmp_path / "none.npz")


def test_checkpoint_rejects_objects_that_require_pickle(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="allow_pickle=False"):
        Checkpoint({"a": np.array([object()])}, {}).write(tmp_path / "c.npz")
