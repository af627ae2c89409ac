"""Tests with sound devices of ALSA's null plugin.

The tests need a separate process, because ALSA reads its configuration only once.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support import ROOT

PROGRAM = """
import sys
from reachy_agent_ros.audio.device import LOUDSPEAKER, MICROPHONE, require_device, sound_devices
from reachy_agent_ros.core.errors import AgentError

kind = {"microphone": MICROPHONE, "loudspeaker": LOUDSPEAKER}[sys.argv[1]]
try:
    print(require_device(sound_devices(), kind, sys.argv[2])["name"])
except AgentError as error:
    print(f"{error.code.name}: {error.message}")
"""
NONE = "pcm.!default { type nothing }\n"
DESK = "pcm.!default { type null }\npcm.desk { type null hint { show on } }\n"


@pytest.fixture
def configuration(tmp_path: Path) -> Path:
    path = tmp_path / "asound.conf"
    path.write_text(NONE)
    return path


def answer(configuration: Path, kind: str, name: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, kind, name],
        env={**os.environ, "ALSA_CONFIG_PATH": str(configuration), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("kind", "unused"), [("microphone", "audio_source:=topic"), ("loudspeaker", "audio_sink:=none")]
)
def test_error_without_devices_states_how_to_start_without_one(configuration: Path, kind: str, unused: str) -> None:
    error = f"AUDIO_UNAVAILABLE: No {kind} is connected: connect one, or start without it ({unused})."
    assert answer(configuration, kind, "desk") == error


@pytest.mark.parametrize(("kind", "setting"), [("microphone", "stt.device"), ("loudspeaker", "tts.device")])
def test_error_for_unknown_name_lists_connected_devices(configuration: Path, kind: str, setting: str) -> None:
    configuration.write_text(DESK)
    told = answer(configuration, kind, "kitchen")
    assert told.startswith(f"AUDIO_UNAVAILABLE: Cannot use the {kind} ('kitchen'): ")
    assert told.endswith(f"Set {setting} to part of another name (connected: desk, default).")


@pytest.mark.parametrize("kind", ["microphone", "loudspeaker"])
def test_finds_device_by_part_of_its_name(configuration: Path, kind: str) -> None:
    configuration.write_text(DESK)
    assert answer(configuration, kind, "des") == "desk"
