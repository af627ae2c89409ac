"""Share of written-out times and durations that are understood correctly, in each language.

Run `scripts/evaluate times --file FILE`. The file is a table with a header line and tab-separated columns: language,
author, phrase and expected, which is a JSON object: {"duration_s": 600}, {"datetime": "2026-11-29T07:30"},
{"rrule": "FREQ=DAILY", "time": "09:00"}, {"none": true} for a phrase without a time, or {"impossible": true}.
Relative times start on Saturday, November 28, 2026, at 14:00.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from dateutil.rrule import rrulestr

from bench.report import Figure, print_report
from reachy_agent_ros.learning.evaluation.summary import share
from reachy_agent_ros.nlu.times.phrase import ImpossibleTimeError, TimeKind, TimePhrase
from reachy_agent_ros.nlu.times.reader import read_time

NOW = datetime(2026, 11, 28, 14, 0, tzinfo=ZoneInfo("Europe/Berlin"))

_WORST = 20
"""Maximum number of phrases to print for each verdict other than `RIGHT`."""

_COMPARED = 30
"""Number of occurrences that two equal recurrences share."""


class Verdict(Enum):
    """Result of comparing the recognized time with the expected meaning of a phrase."""

    RIGHT = "right"
    ASKED = "not right, but the robot asks"
    UNREAD = "not read"
    WRONG = "wrong"


@dataclass(frozen=True)
class Phrase:
    """Phrase with its expected meaning, from one line of the table.

    Attributes:
        language: ISO 639-1 code.
        author: Author of the phrase.
        text: The phrase.
        expected: Its meaning, as in the description of this module.
    """

    language: str
    author: str
    text: str
    expected: Mapping[str, Any]


def load(path: Path) -> list[Phrase]:
    """Reads a table of phrases."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    rows = [line.split("\t") for line in lines[1:]]
    return [Phrase(language, author, text, json.loads(expected)) for language, author, text, expected in rows]


def verdict(phrase: Phrase) -> Verdict:
    """Recognizes the time in a phrase, and compares it with the expected meaning."""
    try:
        found = read_time(phrase.text, phrase.language, NOW)
    except ImpossibleTimeError:
        return Verdict.RIGHT if "impossible" in phrase.expected else Verdict.UNREAD
    if found is None:
        return Verdict.RIGHT if "none" in phrase.expected else Verdict.UNREAD
    if _equals(found, phrase.expected):
        return Verdict.RIGHT
    return Verdict.ASKED if found.is_ambiguous else Verdict.WRONG


def _equals(found: TimePhrase, expected: Mapping[str, Any]) -> bool:
    if "duration_s" in expected:
        return found.duration_s is not None and abs(found.duration_s - float(expected["duration_s"])) < 0.5
    if "datetime" in expected:
        return found.kind is TimeKind.INSTANT and found.when is not None and _is_at(found, str(expected["datetime"]))
    if "rrule" in expected:
        return found.rrule is not None and _recurs_as(found, expected)
    return False


def _is_at(found: TimePhrase, expected: str) -> bool:
    """Returns whether a point in time is the expected one.

    If only a date is expected, the time of day is not compared.
    """
    when = found.when.replace(tzinfo=None) if found.when is not None else None
    moment = datetime.fromisoformat(expected).replace(tzinfo=None)
    if "T" not in expected:
        return when is not None and when.date() == moment.date()
    return when == moment


def _recurs_as(found: TimePhrase, expected: Mapping[str, Any]) -> bool:
    if _occurrences(str(found.rrule)) != _occurrences(str(expected["rrule"])):
        return False
    is_within_day = any(name in str(found.rrule) for name in ("HOURLY", "MINUTELY", "SECONDLY"))
    time = None if is_within_day else expected.get("time")
    return time is None or (found.when is not None and f"{found.when:%H:%M}" == str(time)[:5].zfill(5))


def _occurrences(rrule: str) -> list[datetime]:
    """Returns the first occurrences of a recurrence without the time of day, which the table states separately."""
    parts = [part for part in rrule.removeprefix("RRULE:").split(";") if not part.startswith(("BYHOUR", "BYMIN"))]
    return list(islice(rrulestr(";".join(parts), dtstart=NOW.replace(tzinfo=None)), _COMPARED))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the table and the output."""
    parser.add_argument("--file", type=Path, action="append", required=True, help="table of phrases; may be repeated")
    parser.add_argument("--totals", action="store_true", help="do not print phrases")


def main(as_json: bool, file: Sequence[Path], totals: bool = False) -> int:
    """Recognizes the time in every phrase. Always returns exit code 0."""
    judged = [(phrase, verdict(phrase)) for path in file for phrase in load(path)]
    print_report("times", list(figures(judged)), as_json)
    if not totals and not as_json:
        for phrase, found in _worst(judged):
            print(f"{found.value}: {phrase.language}\t{phrase.text}\t{json.dumps(phrase.expected)}")
    return 0


def _worst(judged: Sequence[tuple[Phrase, Verdict]]) -> Iterator[tuple[Phrase, Verdict]]:
    """Yields the phrases that were not understood correctly. Wrong results come first."""
    for worst in (Verdict.WRONG, Verdict.UNREAD, Verdict.ASKED):
        yield from islice(((phrase, found) for phrase, found in judged if found is worst), _WORST)


def figures(judged: Sequence[tuple[Phrase, Verdict]]) -> Iterator[Figure]:
    """Computes the rates of each language and of all languages together, with their upper 95 % bounds."""
    languages = list(dict.fromkeys(phrase.language for phrase, _found in judged))
    for language in [*languages, "all"]:
        rows = [(phrase, found) for phrase, found in judged if language in (phrase.language, "all")]
        authors = len({phrase.author for phrase, _found in rows})
        counts = Counter(found for _phrase, found in rows)
        yield Figure(f"{language}: phrases by {authors} authors", len(rows), "")
        yield Figure(f"{language}: right", 100.0 * counts[Verdict.RIGHT] / len(rows), "%", 95.0, at_least=True)
        for bad, bar in ((Verdict.WRONG, 0.5), (Verdict.ASKED, None), (Verdict.UNREAD, None)):
            rate = share(counts[bad], len(rows))
            yield Figure(f"{language}: {bad.value}", 100.0 * rate.value, "%", bar)
            yield Figure(f"{language}: {bad.value}, upper 95 % bound", 100.0 * rate.high, "%")
