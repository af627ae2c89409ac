"""Labeled sentences with their accepted interpretations, read from a file."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from evaluation.understanding.expected_calls import Call, ExpectedCall, merged

ASK = "ask"
NOTHING = "-"


class Kind(Enum):
    """Kind of a sentence."""

    PLAIN = "plain"
    FREE = "free"
    NONE = "none"


@dataclass(frozen=True)
class Sentence:
    """Labeled sentence from one line of the file.

    Attributes:
        kind: Kind of the sentence.
        text: Words as spoken or typed.
        readings: Accepted sequences of calls.
        may_ask: Whether a clarifying question is accepted.
        may_pass: Whether doing nothing is accepted.
    """

    kind: Kind
    text: str
    readings: tuple[tuple[ExpectedCall, ...], ...]
    may_ask: bool
    may_pass: bool

    @property
    def is_command(self) -> bool:
        """Whether the sentence is a request to the robot."""
        return self.kind is not Kind.NONE

    def is_right(self, decision: str, calls: Sequence[Call]) -> bool:
        """Returns whether a decision ("act", "ask" or "defer") and its calls are accepted for the sentence."""
        if decision == "act":
            made = list(merged(calls))
            return any(_same(reading, made) for reading in self.readings)
        return self.may_ask if decision == "ask" else self.may_pass


def add_file_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the files of an evaluation and for the printed details."""
    parser.add_argument(
        "--file",
        type=Path,
        action="append",
        metavar="F",
        help="tab-separated file to use instead of the held-out sentences; may be repeated",
    )
    parser.add_argument("--totals", action="store_true", help="do not print sentences")


def load(path: Path) -> list[Sentence]:
    """Reads a file of sentences.

    Raises:
        ValueError: A line is not in the notation, requests something that no tool can do, contradicts its kind, or
            repeats another line. The message names the first such line.
    """
    sentences: list[Sentence] = []
    said: set[str] = set()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line or line.startswith("#"):
            continue
        try:
            sentence = _sentence(line)
            key = "".join(filter(str.isalnum, sentence.text.lower()))
            if key in said:
                raise ValueError("duplicate sentence")
        except ValueError as error:
            raise ValueError(f"{path.name}, line {number}: {error}") from None
        said.add(key)
        sentences.append(sentence)
    return sentences


def _sentence(line: str) -> Sentence:
    columns = line.split("\t")
    if len(columns) != 3:
        raise ValueError(f"{len(columns)} columns instead of kind, sentence and readings")
    kind, text, expected = Kind(columns[0]), columns[1].strip(), [part.strip() for part in columns[2].split(" | ")]
    if (NOTHING in expected) == (kind is not Kind.NONE):
        raise ValueError(f"{NOTHING!r} is allowed only, and required, for sentences without a request")
    calls = [part for part in expected if part not in (ASK, NOTHING)]
    readings = tuple(tuple(ExpectedCall.parse(call) for call in part.split(" ; ")) for part in calls)
    return Sentence(kind, text, readings, ASK in expected, NOTHING in expected)


def _same(reading: Sequence[ExpectedCall], calls: Sequence[Call]) -> bool:
    return len(reading) == len(calls) and all(
        expected.admits(call) for expected, call in zip(reading, calls, strict=True)
    )
