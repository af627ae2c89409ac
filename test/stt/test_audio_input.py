from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.stt.audio_input import listen, listen_to_robot
from reachy_agent_ros.stt.audio_stream import Chunk
from support.robot_sound import robot_sound
from support.waiting import wait_until


@pytest.mark.slow
def test_missing_microphone_is_reported_and_retried() -> None:
    reports: list[str] = []
    cancel = CancelToken()
    thread = threading.Thread(target=listen, args=("no such microphone", lambda _: None, reports.append, cancel))
    thread.start()
    wait_until(lambda: len(reports) >= 2)
    assert all(reports)
    cancel.cancel()
    thread.join(10.0)
    assert not thread.is_alive()


class Ears:
    def __init__(self) -> None:
        self.chunks: list[Chunk] = []
        self.reports: list[str] = []


@contextmanager
def listening(url: str) -> Iterator[Ears]:
    """Records during a `with` block. Then cancels the recording and checks that it ends."""
    ears, cancel = Ears(), CancelToken()
    thread = threading.Thread(target=listen_to_robot, args=(url, ears.chunks.append, ears.reports.append, cancel))
    thread.start()
    try:
        yield ears
    finally:
        cancel.cancel()
        thread.join(10.0)
    assert not thread.is_alive()


@pytest.mark.slow
def test_microphone_samples_are_delivered_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with robot_sound(monkeypatch, tmp_path) as robot, listening(robot.url) as ears:
        wait_until(lambda: len(ears.chunks) >= 50, "sound")
    chunks = ears.chunks
    assert {(chunk.sample_rate, chunk.channels, chunk.stream) for chunk in chunks} == {(16_000, 2, "robot-1")}
    assert [chunk.sequence for chunk in chunks] == list(range(len(chunks)))
    assert max(chunk.samples.size for chunk in chunks) <= 2 * 16_000 // 32
    frames = np.concatenate([chunk.samples for chunk in chunks]).reshape(-1, 2)
    assert (frames == (np.arange(len(frames)) // 160 % 1000)[:, None]).all()
    assert ears.reports == [""]
    assert robot.events[-1] == "close"


@pytest.mark.slow
def test_robot_without_audio_data_is_reported_and_reconnected(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with robot_sound(monkeypatch, tmp_path) as robot, listening(robot.url) as ears:
        wait_until(lambda: bool(ears.chunks), "sound")
        (tmp_path / "unplugged").touch()
        wait_until(lambda: len(ears.reports) == 2, "the loss to be reported")
        (tmp_path / "unplugged").unlink()
        wait_until(lambda: ears.chunks[-1].stream == "robot-2", "the robot to be heard again")
    assert [bool(reason) for reason in ears.reports] == [False, True, False]


def test_missing_daemon_is_reported_as_audio_error() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{closed.getsockname()[1]}"
        with listening(url) as ears:
            wait_until(lambda: bool(ears.reports), "a report")
    assert "does not answer" in ears.reports[0]


def test_reports_daemon_without_media_support(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with robot_sound(monkeypatch, tmp_path, no_media=True) as robot, listening(robot.url) as ears:
        wait_until(lambda: bool(ears.reports), "a report")
    assert "--no-media" in ears.reports[0]
    assert robot.events == []


def test_reports_python_environment_without_sdk(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "reachy_mini").mkdir()
    (tmp_path / "reachy_mini" / "__init__.py").touch()
    with robot_sound(monkeypatch, tmp_path) as robot:
        monkeypatch.setenv("PYTHONPATH", str(tmp_path))
        with listening(robot.url) as ears:
            wait_until(lambda: bool(ears.reports), "a report")
    assert "no complete Reachy Mini SDK (No module named 'reachy_mini.media')" in ears.reports[0]
