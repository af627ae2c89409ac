"""Tests of reading times and durations in six languages."""

from datetime import datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.understanding.times import Verdict, load, verdict
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.nlu import number_words
from reachy_agent_ros.nlu.times import time_words
from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError, TimeKind
from reachy_agent_ros.nlu.times.reader import read_time

LANGUAGES = ("en", "de", "fr", "es", "it", "pt")
BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2026, 11, 28, 14, 0, tzinfo=BERLIN)


def when(text: str, now: datetime = NOW, language: str = "en") -> datetime:
    phrase = read_time(text, language, now)
    assert phrase is not None
    assert phrase.when is not None
    return phrase.when


def is_ambiguous(text: str, now: datetime = NOW, language: str = "en") -> bool:
    phrase = read_time(text, language, now)
    assert phrase is not None
    return phrase.is_ambiguous


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_reads_time_in_development_phrases(language: str) -> None:
    phrases = [phrase for phrase in load(Path(__file__).parent / "phrases.tsv") if phrase.language == language]
    assert [phrase for phrase in phrases if verdict(phrase) is not Verdict.RIGHT] == []


def test_time_has_span_of_its_phrase() -> None:
    text = "Remind me, tomorrow at half past seven, to call Ada."
    phrase = read_time(text, "en", NOW)
    assert phrase is not None
    assert text[phrase.start : phrase.end] == "tomorrow at half past seven"


def test_returns_duration_of_relative_time() -> None:
    phrase = read_time("in ten minutes", "en", NOW)
    assert phrase is not None
    assert (phrase.kind, phrase.duration_s, phrase.when) == (TimeKind.INSTANT, 600.0, NOW + timedelta(minutes=10))


def test_time_uses_zone_of_current_time() -> None:
    tokyo = NOW.astimezone(ZoneInfo("Asia/Tokyo"))
    assert when("today at 11 pm", tokyo) == tokyo.replace(hour=23, minute=0)


def test_time_that_summer_time_skips_becomes_one_hour_later() -> None:
    now = datetime(2027, 3, 27, 14, 0, tzinfo=BERLIN)
    assert when("tomorrow at 2:30 am", now) == datetime(2027, 3, 28, 3, 30, tzinfo=BERLIN)


def test_hours_are_counted_across_change_to_summer_time() -> None:
    now = datetime(2027, 3, 27, 23, 0, tzinfo=BERLIN)
    assert when("in 4 hours", now) == datetime(2027, 3, 28, 4, 0, tzinfo=BERLIN)


def test_days_follow_calendar_across_change_to_summer_time() -> None:
    now = datetime(2027, 3, 27, 23, 0, tzinfo=BERLIN)
    assert when("in 2 days", now) == datetime(2027, 3, 29, 23, 0, tzinfo=BERLIN)


@pytest.mark.parametrize(("hour", "expected"), [(5, (28, 7)), (14, (28, 19)), (22, (29, 7))])
def test_time_without_day_is_next_occurrence(hour: int, expected: tuple[int, int]) -> None:
    found = when("at 7", NOW.replace(hour=hour))
    assert (found.day, found.hour) == expected


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("at 7", "en"),
        ("tomorrow at 7", "en"),
        ("tomorrow", "en"),
        ("tomorrow morning", "en"),
        ("on Friday at midnight", "en"),
        ("on Tuesday in two weeks", "en"),
        ("every day at nine except Sunday", "en"),
        ("at 9 am or at 10 am", "en"),
        ("tomorow at 9 am", "en"),
        ("two or three hours", "en"),
        ("um sieben", "de"),
        ("mañana a las siete", "es"),
    ],
)
def test_phrase_with_several_meanings_is_ambiguous(text: str, language: str) -> None:
    assert is_ambiguous(text, language=language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("at 7 pm", "en"),
        ("tonight at 9", "en"),
        ("tomorrow at seven in the morning", "en"),
        ("today at 5", "en"),
        ("every weekday at nine", "en"),
        ("at 07:00", "en"),
        ("morgen um sieben", "de"),
        ("remind me in ten minutes to buy five apples", "en"),
    ],
)
def test_clear_phrase_is_not_ambiguous(text: str, language: str) -> None:
    assert not is_ambiguous(text, language=language)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("on February 30", "en"),
        ("on April 31, 2027", "en"),
        ("every year on February 30", "en"),
        ("at 25:00", "en"),
        ("at 7:75", "en"),
        ("on Monday, December 8, 2026", "en"),
        ("in 9000000 years", "en"),
        ("in 900000000000000 hours", "en"),
        ("am 31. April", "de"),
        ("le 30 février", "fr"),
    ],
)
def test_rejects_impossible_time(text: str, language: str) -> None:
    with pytest.raises(ImpossibleTimeError):
        read_time(text, language, NOW)


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("tomorrow at 7 pm, no, at 8", "en", datetime(2026, 11, 29, 20, tzinfo=BERLIN)),
        ("on Monday, sorry, Tuesday at 9 am", "en", datetime(2026, 12, 1, 9, tzinfo=BERLIN)),
        ("in ten minutes, no, twenty minutes", "en", datetime(2026, 11, 28, 14, 20, tzinfo=BERLIN)),
        ("morgen um 15 Uhr, ach nein, um 16 Uhr", "de", datetime(2026, 11, 29, 16, tzinfo=BERLIN)),
        ("demain à 15 heures, non, 16 heures", "fr", datetime(2026, 11, 29, 16, tzinfo=BERLIN)),
        ("mañana a las 15 horas, perdón, a las 16 horas", "es", datetime(2026, 11, 29, 16, tzinfo=BERLIN)),
        ("domani alle 15, anzi, alle 16", "it", datetime(2026, 11, 29, 16, tzinfo=BERLIN)),
        ("amanhã às 15 horas, aliás, às 16 horas", "pt", datetime(2026, 11, 29, 16, tzinfo=BERLIN)),
    ],
)
def test_correction_in_sentence_replaces_part_of_time(text: str, language: str, expected: datetime) -> None:
    assert when(text, language=language) == expected


@pytest.mark.parametrize("text", ["tomorow at 9 am", "tomorroww at 9 am", "tomorrwo at 9 am"])
def test_corrects_typing_error_in_time(text: str) -> None:
    assert when(text) == datetime(2026, 11, 29, 9, tzinfo=BERLIN)


@pytest.mark.parametrize("text", ["turn right", "look at those two", "may I have one", "turn 20 degrees", ""])
def test_text_without_time_returns_none(text: str) -> None:
    assert read_time(text, "en", NOW) is None


@pytest.mark.parametrize(("text", "hour"), [("tomorrow am", 9), ("tomorrow pm", 15)])
def test_part_of_day_without_hour_has_default_hour(text: str, hour: int) -> None:
    phrase = read_time(text, "en", NOW)
    assert phrase is not None
    assert phrase.when is not None
    assert phrase.when.hour == hour


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@given(text=st.text(max_size=60))
def test_time_reader_accepts_any_text(language: str, text: str) -> None:
    try:
        phrase = read_time(text, language, NOW)
    except ImpossibleTimeError:
        return
    assert phrase is None or text[phrase.start : phrase.end].strip()


@pytest.mark.slow
@given(words=st.lists(st.sampled_from(("every", "in", "at", "on", "the", "7", "31", "half past", "may", "days"))))
def test_time_reader_accepts_time_words_in_any_order(words: list[str]) -> None:
    try:
        phrase = read_time(" ".join(words), "en", NOW)
    except ImpossibleTimeError:
        return
    assert phrase is None or phrase.when is not None or phrase.duration_s is not None


@pytest.mark.slow
def test_time_reader_accepts_long_text() -> None:
    phrase = read_time("and then at 7 pm or in 2 hours, " * 300, "en", NOW)
    assert phrase is not None
    assert phrase.is_ambiguous


def test_error_names_file_and_line_of_invalid_time_template(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (number_words.LANGUAGES / "en" / "times.yaml").read_text(encoding="utf-8")
    broken = text.replace('"at {part}":', '"at {part":')
    (tmp_path / "xx").mkdir()
    (tmp_path / "xx" / "times.yaml").write_text(broken, encoding="utf-8")
    monkeypatch.setattr(time_words, "LANGUAGES", tmp_path)
    line = broken.splitlines().index('    "at {part":') + 1
    with pytest.raises(AgentError, match=rf"times\.yaml.*line {line}: .*at \{{part"):
        time_words.time_words("xx")


def test_list_of_days_of_month_is_ambiguous() -> None:
    phrase = read_time("on the first and the fifteenth of every month at noon", "en", NOW)
    assert phrase is not None
    assert (phrase.rrule, phrase.is_ambiguous) == ("FREQ=MONTHLY;BYMONTHDAY=15", True)
