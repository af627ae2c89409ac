from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.helpers.speech_writer import write


def request(folder: Path, text: str, voice: str = "") -> dict[str, Any]:
    file = str(folder / "speech.wav")
    return {"text": text, "voice": voice, "speed": 1.0, "path": file, "voice_path": "", "voices_path": ""}


@pytest.mark.slow
def test_speech_writer_writes_speech_to_file(tmp_path: Path) -> None:
    write(request(tmp_path, "Hello, I am Reachy."))
    assert 1.0 < read_sound(tmp_path / "speech.wav").size / 16_000 < 4.0
    write(request(tmp_path, "Hello.", "en_US-joe-medium"))
    assert read_sound(tmp_path / "speech.wav").size / 16_000 < 2.0


@pytest.mark.parametrize(
    ("text", "voice", "code"),
    [
        ("Hello.", "nobody", ErrorCode.INVALID_ARGUMENTS),
        ("你好我是机器人", "", ErrorCode.INVALID_ARGUMENTS),
        ("*** \x00 ---", "", ErrorCode.EMPTY_TEXT),
    ],
)
def test_text_without_pronounceable_characters_is_a_request_error(
    tmp_path: Path, text: str, voice: str, code: ErrorCode
) -> None:
    with pytest.raises(AgentError) as caught:
        write(request(tmp_path, text, voice))
    assert caught.value.code is code
    assert not list(tmp_path.iterdir())
