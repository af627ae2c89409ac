"""Tests that the fake SDK matches the source code of the real SDK.

The real SDK is not imported, because it loads GStreamer.
"""

from __future__ import annotations

import ast
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.audio import media_program
from reachy_agent_ros.audio.media import MediaProcess
from reachy_agent_ros.audio.media_program import HEADER, LENGTH
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.description import source_path
from support.robot_sound import SDK

STAND_IN = SDK / "reachy_mini" / "media" / "media_manager.py"


def methods(path: Path, name: str) -> dict[str, list[str]]:
    """Returns the argument names of every method of a class."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    (found,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == name)
    functions = (node for node in found.body if isinstance(node, ast.FunctionDef))
    return {function.name: [argument.arg for argument in function.args.args] for function in functions}


@pytest.mark.parametrize(
    ("name", "file"), [("MediaManager", "media/media_manager.py"), ("AudioBase", "media/audio_base.py")]
)
def test_fake_sdk_has_signatures_of_real_sdk(name: str, file: str) -> None:
    real, ours = methods(source_path(file), name), methods(STAND_IN, name)
    assert ours == {method: real.get(method) for method in ours}


def test_real_sdk_has_local_and_webrtc_backends() -> None:
    source = source_path("media/media_manager.py").read_text(encoding="utf-8")
    assert re.search(r'^    LOCAL = "local"$', source, re.M)
    assert re.search(r'^    WEBRTC = "webrtc"$', source, re.M)


def test_fake_sdk_has_all_methods_that_the_robot_uses() -> None:
    source = inspect.getsource(media_program)
    calls = set(re.findall(r"\bmedia\.(\w+)\(", source)) | set(re.findall(r"\bmedia\.audio\.(\w+)\(", source))
    assert calls <= {*methods(STAND_IN, "MediaManager"), *methods(STAND_IN, "AudioBase")}


def test_real_sdk_defines_sound_card_latency() -> None:
    source = source_path("media/audio_gstreamer.py").read_text(encoding="utf-8")
    assert re.search(r"^    PLAYBACK_SINK_BUFFER_TIME_US = [\d_]+$", source, re.M)


def test_rejects_invalid_daemon_url_before_start() -> None:
    with pytest.raises(AgentError) as caught:
        MediaProcess("reachy-mini.local", "record", CancelToken())
    assert caught.value.code is ErrorCode.INVALID_GOAL


def test_webrtc_playback_without_sound_clears_queue_of_daemon(tmp_path: Path) -> None:
    command = [sys.executable, "-P", media_program.__file__, "play", "webrtc", "far", "http://far:8000"]
    environment = {**os.environ, "PYTHONPATH": str(SDK), "ROOM": str(tmp_path)}
    ended = subprocess.run(command, input=LENGTH.pack(0), capture_output=True, env=environment, timeout=30.0)
    assert ended.returncode == 0
    assert HEADER.unpack(ended.stdout) == (16_000, 1, 0.0)
    events = ["open webrtc far http://far:8000", "record", "start", "clear", "close"]
    assert (tmp_path / "events").read_text().splitlines() == events
