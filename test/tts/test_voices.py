from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.voice import Piece
from reachy_agent_ros.tts.voices import LONGEST_PHRASE, MOST_LOADED, MOST_SOUND, PhraseCache, Voices
from support.one_tone import write_one_tone
from support.speech_models import voice

RATE = 1_000


def test_empty_voice_name_selects_default_voice() -> None:
    voices = Voices(voice())
    assert voices.load("") is voices.load(voice().name) is voices.default
    assert voices.names == [voice().name]


def test_voices_of_folder_are_loaded_once(tmp_path: Path) -> None:
    voices = Voices(voice(), tmp_path)
    write_one_tone(tmp_path)  # also a voice added at run time
    assert voices.names == [voice().name, "tone"]
    assert voices.load("tone") is voices.load("tone")
    assert next(iter(voices.load("tone").pieces("Hello."))).samples.size > 0


@pytest.mark.parametrize("name", ["nobody", "../tone", "undescribed", "/tone"])
def test_rejects_unknown_voice_and_lists_known_ones(tmp_path: Path, name: str) -> None:
    (tmp_path / "voices").mkdir()
    write_one_tone(tmp_path)
    write_one_tone(tmp_path / "voices", "other")
    (tmp_path / "voices" / "undescribed.onnx").write_bytes(b"")
    voices = Voices(voice(), tmp_path / "voices")
    for look in (voices.check, voices.load, voices.language):
        with pytest.raises(AgentError, match="expected en_US-joe-medium, other") as refusal:
            look(name)
        assert refusal.value.code is ErrorCode.VOICE_UNAVAILABLE


def test_missing_voice_folder_contains_no_voices(tmp_path: Path) -> None:
    assert Voices(voice(), tmp_path / "no").names == [voice().name]


def test_number_of_loaded_voices_is_limited(tmp_path: Path) -> None:
    voices = Voices(voice(), tmp_path)
    for number in range(MOST_LOADED + 1):
        write_one_tone(tmp_path, f"tone{number}")
    first = voices.load("tone0")
    for number in range(1, MOST_LOADED + 1):
        voices.load(f"tone{number}")
    assert voices.load("tone0") is not first


def test_language_of_voice_is_read_without_loading_voice(tmp_path: Path) -> None:
    path = write_one_tone(tmp_path)
    path.write_bytes(b"no network")
    voices = Voices(voice(), tmp_path)
    assert voices.language("") == voices.language("tone") == "en-us"
    Path(f"{path}.json").write_text("{}")
    with pytest.raises(AgentError, match="tone"):
        voices.language("tone")


def test_voice_behind_symbolic_link_is_not_listed(tmp_path: Path) -> None:
    folder, elsewhere = tmp_path / "voices", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    for end in (".onnx", ".onnx.json"):
        (elsewhere / f"amy{end}").write_bytes(b"{}")
        (folder / f"linked{end}").symlink_to(elsewhere / f"amy{end}")
        (folder / f"plain{end}").write_bytes(b"{}")
    assert "plain" in Voices(voice(), folder).names
    assert "linked" not in Voices(voice(), folder).names


class Reader:
    """Stub of a voice that returns 0.5 s of sound per word and counts its calls."""

    name = "reader"
    language = "en-us"
    sample_rate = RATE

    def __init__(self) -> None:
        self.made: list[tuple[str, float]] = []

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        self.made.append((text, speed))
        for number, _ in enumerate(text.split()):
            yield Piece(np.full(RATE // 2, number, np.int16))


def sound(cache: PhraseCache, text: str, speed: float = 1.0) -> list[int]:
    return np.concatenate([piece.samples for piece in cache.pieces(text, speed)]).tolist()


def test_synthesized_phrase_is_cached() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    assert sound(cache, "of course") == sound(cache, "of course")
    assert reader.made == [("of course", 1.0)]


def test_each_speed_of_phrase_is_cached_separately() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    sound(cache, "yes"), sound(cache, "yes", 1.5)
    assert len(reader.made) == 2


def test_long_or_interrupted_phrases_are_not_cached() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    sound(cache, "word " * (1 + int(2 * LONGEST_PHRASE)))
    next(cache.pieces("not to the end"))
    assert cache.seconds == 0.0


def test_least_recently_used_phrases_are_dropped_from_cache() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    phrases = [f"phrase {number}" for number in range(int(MOST_SOUND))]
    for phrase in phrases:
        sound(cache, phrase)
    sound(cache, phrases[0])
    sound(cache, "one more")
    assert cache.seconds <= MOST_SOUND
    reader.made.clear()
    sound(cache, phrases[0]), sound(cache, phrases[2]), sound(cache, phrases[1])
    assert reader.made == [(phrases[1], 1.0)]
