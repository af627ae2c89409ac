from pathlib import Path

import pytest

from reachy_agent_ros.core.onnx_session import FATAL, ONNX_ERRORS, onnx_session


@pytest.mark.parametrize("content", [b"", b"not a network", bytes(1000)])
def test_content_that_is_not_a_network_raises_one_of_the_listed_errors(content: bytes) -> None:
    with pytest.raises(ONNX_ERRORS):
        onnx_session(content, log_severity=FATAL)


def test_a_missing_file_raises_one_of_the_listed_errors(tmp_path: Path) -> None:
    with pytest.raises(ONNX_ERRORS):
        onnx_session(str(tmp_path / "missing.onnx"), log_severity=FATAL)
