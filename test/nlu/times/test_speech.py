"""The robot says times so that they are understood as they were meant."""

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


def said(text: str, language: str) -> str:
    phrase = read_time(text, language, NOW)
    assert phrase is not None
    return say_time(phrase, language, NOW)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("en", "90 seconds", "1 minute and 30 seconds"),
        ("en", "in two hours", "in 2 hours"),
        ("en", "in two weeks", "on December 12 at 2 pm"),
        ("en", "tomorrow at half past seven", "tomorrow at 7:30 am"),
        ("en", "on Tuesday at 1 pm", "on Tuesday at 1 pm"),
        ("en", "the third of May at noon", "on May 3, 2027 at 12 pm"),
        ("en", "tomorrow", "tomorrow"),
        ("en", "every weekday at nine", "every weekday at 9 am"),
        ("en", "every other Monday at nine", "every 2 weeks on Monday at 9 am"),
        ("en", "every 20 minutes", "every 20 minutes"),
        ("en", "the last Friday of every month at 3 pm", "on the last Friday of every month at 3 pm"),
        ("en", "on the last day of every month at noon", "on the last day of every month at 12 pm"),
        ("de", "in zwei Tagen", "in 2 Tagen"),
        ("de", "zwei Tage", "2 Tage"),
        ("de", "morgen um halb acht", "morgen um 7 Uhr 30"),
        ("de", "um 2 Uhr nachts", "morgen um 2 Uhr nachts"),
        ("fr", "le 24 décembre à 18 heures", "le 24 décembre à 18 heures"),
        ("fr", "demain à une heure du matin", "demain à 1 heure du matin"),
        ("es", "el lunes a la una de la tarde", "el lunes a la 1 de la tarde"),
        ("it", "ogni prima domenica del mese alle 10", "ogni prima domenica del mese alle ore 10"),
        ("pt", "no primeiro sábado de cada mês às 10", "no primeiro sábado de cada mês às 10 horas"),
    ],
)
def test_says_time(language: str, text: str, expected: str) -> None:
    assert said(text, language) == expected


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_said_time_is_read_as_the_same_time(language: str) -> None:
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
