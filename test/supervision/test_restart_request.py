from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.supervision.record import graph_directory
from reachy_agent_ros.supervision.restart_request import take_restart_request


@pytest.fixture
def request_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    return graph_directory("/test") / "restart.json"


def test_restart_request_is_returned_once(request_file: Path) -> None:
    request_file.write_text('["agent", "tts"]')
    assert take_restart_request("/test") == ["agent", "tts"]
    assert take_restart_request("/test") == []


@pytest.mark.parametrize("content", ["", "[", "3"])
def test_invalid_restart_request_is_ignored(request_file: Path, content: str) -> None:
    request_file.write_text(content)
    assert take_restart_request("/test") == []
