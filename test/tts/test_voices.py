from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.voices import MOST_LOADED, Voices
from support.one_tone import write_one_tone
from support.speech_models import voice


def test_the_default_voice_needs_no_name() -> None:
    voices = Voices(voice())
    assert voices.load("") is voices.load(voice().name) is voices.default
    assert voices.names == [voice().name]


def test_voices_of_the_folder_are_found_by_name_and_loaded_once(tmp_path: Path) -> None:
    voices = Voices(voice(), tmp_path)
    write_one_tone(tmp_path)  # also one that comes while the robot runs
    assert voices.names == [voice().name, "tone"]
    assert voices.load("tone") is voices.load("tone")
    assert next(iter(voices.load("tone").pieces("Hello."))).samples.size > 0


@pytest.mark.parametrize("name", ["nobody", "../tone", "undescribed", "/tone"])
def test_an_unknown_voice_is_refused_with_those_there_are(tmp_path: Path, name: str) -> None:
    (tmp_path / "voices").mkdir()
    write_one_tone(tmp_path)
    write_one_tone(tmp_path / "voices", "other")
    (tmp_path / "voices" / "undescribed.onnx").write_bytes(b"")
    voices = Voices(voice(), tmp_path / "voices")
    for look in (voices.check, voices.load, voices.language):
        with pytest.raises(AgentError, match="There are: en_US-joe-medium, other") as refusal:
            look(name)
        assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_a_folder_that_is_not_there_holds_no_voices(tmp_path: Path) -> None:
    assert Voices(voice(), tmp_path / "no").names == [voice().name]


def test_few_voices_stay_in_memory(tmp_path: Path) -> None:
    voices = Voices(voice(), tmp_path)
    for number in range(MOST_LOADED + 1):
        write_one_tone(tmp_path, f"tone{number}")
    first = voices.load("tone0")
    for number in range(1, MOST_LOADED + 1):
        voices.load(f"tone{number}")
    assert voices.load("tone0") is not first


def test_a_voice_says_which_language_it_speaks_before_it_is_loaded(tmp_path: Path) -> None:
    path = write_one_tone(tmp_path)
    path.write_bytes(b"no network")
    voices = Voices(voice(), tmp_path)
    assert voices.language("") == voices.language("tone") == "en-us"
    Path(f"{path}.json").write_text("{}")
    with pytest.raises(AgentError, match="tone"):
        voices.language("tone")


def test_voice_behind_link_is_not_offered(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "voices", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    for end in (".onnx", ".onnx.json"):
        (elsewhere / f"amy{end}").write_bytes(b"{}")
        (folder / f"linked{end}").symlink_to(elsewhere / f"amy{end}")
        (folder / f"plain{end}").write_bytes(b"{}")
    assert "plain" in Voices(voice(), folder).names
    assert "linked" not in Voices(voice(), folder).names
