"""Tests of evaluating time expressions: verdicts, result figures, and hidden phrases."""

import json
from pathlib import Path

import pytest

from evaluation.understanding.times import Phrase, Verdict, figures, load, main, verdict

TABLE = (
    "language\tauthor\tphrase\texpected\n"
    'en\tAda\tten minutes\t{"duration_s": 600}\n'
    'en\tAda\ttomorrow at 9 am\t{"datetime": "2026-11-29T10:00"}\n'
    'de\tBen\tum sieben\t{"datetime": "2026-11-29T07:00"}\n'
    'de\tBen\tbald\t{"duration_s": 600}\n'
)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "times.tsv"
    path.write_text(TABLE, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "expected", "judged"),
    [
        ("ten minutes", {"duration_s": 600}, Verdict.RIGHT),
        ("in ten minutes", {"duration_s": 600}, Verdict.RIGHT),
        ("in ten minutes", {"datetime": "2026-11-28T14:10"}, Verdict.RIGHT),
        ("ten minutes", {"duration_s": 60}, Verdict.WRONG),
        ("on May 3", {"datetime": "2027-05-03"}, Verdict.RIGHT),
        ("on May 3 at noon", {"datetime": "2027-05-03T13:00"}, Verdict.WRONG),
        ("at 7", {"datetime": "2026-11-29T07:00"}, Verdict.ASKED),
        ("every weekday at nine", {"rrule": "FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR", "time": "09:00"}, Verdict.RIGHT),
        ("every weekday at nine", {"rrule": "FREQ=DAILY", "time": "09:00"}, Verdict.WRONG),
        ("every weekday at nine", {"rrule": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "time": "10:00"}, Verdict.WRONG),
        ("every hour", {"rrule": "FREQ=HOURLY", "time": "14:00"}, Verdict.RIGHT),
        ("every day at nine", {"datetime": "2026-11-29T09:00"}, Verdict.WRONG),
        ("soon", {"duration_s": 60}, Verdict.UNREAD),
        ("soon", {"none": True}, Verdict.RIGHT),
        ("on February 30", {"impossible": True}, Verdict.RIGHT),
        ("on February 30", {"datetime": "2027-03-02"}, Verdict.UNREAD),
    ],
)
def test_evaluation_judges_reading_of_time(text: str, expected: dict[str, object], judged: Verdict) -> None:
    assert verdict(Phrase("en", "test", text, expected)) is judged


def test_evaluation_counts_verdicts_by_language(table: Path) -> None:
    judged = [(phrase, verdict(phrase)) for phrase in load(table)]
    values = {figure.name: figure.value for figure in figures(judged)}
    assert values["en: right"] == values["en: wrong"] == 50.0
    assert values["de: not right, but the robot asks"] == values["de: not read"] == 50.0
    assert values["all: phrases by 2 authors"] == 4
    assert 25.0 < values["all: wrong, upper 95 % bound"] < 100.0


def test_evaluation_prints_phrases_that_were_read_incorrectly(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(as_json=False, file=[table]) == 0
    printed = capsys.readouterr().out
    assert "wrong: en\ttomorrow at 9 am" in printed
    assert "ten minutes" not in printed


def test_totals_option_hides_phrases(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(as_json=False, file=[table], totals=True)
    assert "tomorrow" not in capsys.readouterr().out


def test_json_output_contains_figures(table: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(as_json=True, file=[table])
    assert json.loads(capsys.readouterr().out)["area"] == "times"
