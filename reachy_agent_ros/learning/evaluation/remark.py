"""What a simulated teacher can say, with what it is worth."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

from reachy_agent_ros.learning.axis import Axis

_FILE = Path(__file__).parent / "teacher_sentences.tsv"


class Kind(StrEnum):
    """For which occasion a sentence is."""

    PRAISE = "praise"
    PARTIAL = "partial"
    CORRECTION = "correction"
    CRITICISM = "criticism"
    UNDO = "undo"
    NOISE = "noise"


@dataclass(frozen=True)
class Remark:
    """A sentence of the file.

    Attributes:
        kind: For which occasion.
        rating: -1..1, what it is truly worth.
        axes: What it truly asks to be changed.
        text: In the words of a person.
    """

    kind: Kind
    rating: float
    axes: tuple[Axis, ...]
    text: str


@cache
def remarks() -> Sequence[Remark]:
    """All sentences. No reward model is trained on them, so that it is judged on words it never saw."""
    with _FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(_remark(row) for row in rows)


def _remark(row: Mapping[str, str]) -> Remark:
    return Remark(Kind(row["kind"]), float(row["rating"]), tuple(map(Axis, row["axes"].split())), row["text"])
