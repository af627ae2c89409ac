from pathlib import Path

import pytest

from reachy_agent_ros.core.onnx_session import FATAL, ONNX_ERRORS, onnx_session


@pytest.mark.parametrize("content", [b"", b"not a network", bytes(1000)])
def test_invalid_network_raises_onnx_error(content: bytes) -> None:
    with pytest.raises(ONNX_ERRORS):
        onnx_session(content, log_severity=FATAL)


def test_missing_network_raises_onnx_error(tmp_path: Path) -> None:
    with pytest.raises(ONNX_ERRORS):
        onnx_session(str(tmp_path / "missing.onnx"), log_severity=FATAL)
