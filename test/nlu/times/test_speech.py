"""Tests that spoken times are unambiguous."""

from datetime import datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from evaluation.understanding.times import load
from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError, TimePhrase
from reachy_agent_ros.nlu.times.reader import read_time
from reachy_agent_ros.nlu.times.speech import say_time

LANGUAGES = ("en", "de", "fr", "es", "it", "pt")
NOW = datetime(2026, 11, 28, 14, 0, tzinfo=ZoneInfo("Europe/Berlin"))


ROWS = [
    line.split("\t") for line in (Path(__file__).parent / "spoken.tsv").read_text(encoding="utf-8").splitlines()[1:]
]


def said(text: str, language: str) -> str:
    phrase = read_time(text, language, NOW)
    assert phrase is not None
    return say_time(phrase, language, NOW)


@pytest.mark.parametrize(("language", "text", "expected"), ROWS)
def test_time_is_expressed_in_words(language: str, text: str, expected: str) -> None:
    assert said(text, language) == expected


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_time_in_words_is_read_back_as_same_time(language: str) -> None:
    phrases = [phrase for phrase in load(Path(__file__).parent / "phrases.tsv") if phrase.language == language]
    wrong = [text for phrase in phrases if not _is_same(text := phrase.text, language)]
    assert wrong == []


def _is_same(text: str, language: str) -> bool:
    try:
        meant = read_time(text, language, NOW)
    except ImpossibleTimeError:
        return True
    heard = None if meant is None else read_time(say_time(meant, language, NOW), language, NOW)
    return meant is None or (heard is not None and _meaning(meant) == _meaning(heard))


def _meaning(phrase: TimePhrase) -> tuple[object, ...]:
    return phrase.kind, phrase.when or phrase.duration_s, phrase.rrule
