"""Labels for the reward model: utterances with a rating, and files of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from reachy_agent_ros.learning.score import Axis, Sign

DEVELOPMENT = Path(__file__).with_name("development.tsv")
"""Utterances in styles that the heads were not trained on; nothing that learns sees them."""

COLUMNS = ("text", "rating", "sign", "axes", "category", "style")
"""Of a file of them; all but the first two may be missing, and the sign is what the rating says."""

NEUTRAL_WITHIN = 0.15
"""Ratings nearer to 0 than that say nothing of the last act."""


@dataclass(frozen=True)
class Label:
    """One utterance.

    Attributes:
        text: As it was said or typed.
        rating: -1..1.
        axes: What to change the next time.
        category: What is hard about it, as in "sarcasm"; empty where nobody said.
        style: Who speaks, likewise.
    """

    text: str
    rating: float
    axes: frozenset[Axis] = frozenset()
    category: str = ""
    style: str = ""

    @property
    def sign(self) -> Sign:
        """Which the rating implies."""
        if abs(self.rating) < NEUTRAL_WITHIN:
            return Sign.NEUTRAL
        return Sign.POSITIVE if self.rating > 0 else Sign.NEGATIVE


def read_labels(path: Path) -> list[Label]:
    """The labels of a file of tab-separated values whose first line names the columns.

    Raises:
        OSError: It cannot be read.
        KeyError: It lacks "text" or "rating".
        ValueError: A rating is no number, or an axis is unknown.
    """
    first, *lines = path.read_text(encoding="utf-8").splitlines()
    rows = (dict(zip(first.split("\t"), line.split("\t"), strict=False)) for line in lines if line)
    return [_label(row) for row in rows]


@cache
def development_labels() -> Sequence[Label]:
    """The fixed test that a newer model must pass."""
    return read_labels(DEVELOPMENT)


def _label(row: dict[str, str]) -> Label:
    axes = frozenset(Axis(name.strip()) for name in row.get("axes", "").split(",") if name.strip())
    return Label(row["text"], float(row["rating"]), axes, row.get("category", ""), row.get("style", ""))
