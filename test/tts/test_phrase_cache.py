from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from reachy_agent_ros.tts.phrase_cache import LONGEST_PHRASE, MOST_SOUND, PhraseCache
from reachy_agent_ros.tts.voice import Piece

RATE = 1_000


class Reader:
    """A voice that takes half a second a word and counts what it made."""

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


def test_a_phrase_is_made_once_and_sounds_the_same() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    assert sound(cache, "of course") == sound(cache, "of course")
    assert reader.made == [("of course", 1.0)]


def test_another_speed_is_another_sound() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    sound(cache, "yes"), sound(cache, "yes", 1.5)
    assert len(reader.made) == 2


def test_long_phrases_and_broken_off_ones_are_not_kept() -> None:
    reader = Reader()
    cache = PhraseCache(reader)
    sound(cache, "word " * (1 + int(2 * LONGEST_PHRASE)))
    next(cache.pieces("not to the end"))
    assert cache.seconds == 0.0


def test_what_was_not_said_for_longest_goes_first() -> None:
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
