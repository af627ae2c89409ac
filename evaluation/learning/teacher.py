"""Simulated teacher with labeled sentences, and a scorer that knows the labels."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction.skills import Skill
from reachy_agent_ros.learning.score import Axis, Score, Sign

_FILE = Path(__file__).parent / "teacher_sentences.tsv"

_PERFECT, _PASSABLE = 0.5, 1.0
"""Largest errors that the teacher praises and that it tolerates, steps."""

_PRECISE = 0.5
"""Probability that the teacher says what to change, instead of only that the action was wrong."""

_DELAY = (0.5, 4.0)
"""Range of delays between an action and the comment, s."""

_LEAST = 0.15
"""Minimum magnitude of a rating that is not neutral."""


class Occasion(StrEnum):
    """Occasion on which a teacher says a sentence."""

    PRAISE = "praise"
    PARTIAL = "partial"
    CORRECTION = "correction"
    CRITICISM = "criticism"
    UNDO = "undo"
    NOISE = "noise"


@dataclass(frozen=True)
class Remark:
    """Labeled sentence from the file of the teacher's sentences.

    Attributes:
        kind: Occasion for the sentence.
        rating: True rating, -1..1.
        axes: True corrections that the sentence requests.
        text: Words of the sentence.
    """

    kind: Occasion
    rating: float
    axes: tuple[Axis, ...]
    text: str


@cache
def remarks() -> Sequence[Remark]:
    """Returns all sentences.

    No reward model is trained on these sentences, so that models are evaluated on unseen words.
    """
    with _FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    return tuple(_remark(row) for row in rows)


@dataclass(frozen=True)
class TeacherRemark:
    """Comment of the teacher.

    Attributes:
        remark: Sentence with its labels, which may be used only to evaluate scorers.
        delay: Time after the end of the action, s.
    """

    remark: Remark
    delay: float


class Teacher:
    """Simulated teacher that praises correct actions, calls almost correct actions "nearly", and criticizes the others.

    In half of the criticism, the teacher says what to change; it names the parameter with the largest error.

    Args:
        skill: Skill that is taught.
        seed: Random seed.
        silence: Probability of saying nothing, 0..1.
        noise: Probability of saying a random sentence from the file, 0..1.
        hints: Probability of adding a hint to "nearly", 0..1: "good, but aim a bit further down".
    """

    def __init__(self, skill: Skill, seed: int, silence: float = 0.1, noise: float = 0.1, hints: float = 0.5) -> None:
        self._skill = skill
        self._rng = np.random.default_rng(seed)
        self._silence = silence
        self._noise = noise
        self._hints = hints

    def comment(self, missing: Vector) -> TeacherRemark | None:
        """Returns a comment on an action, or None for silence.

        Args:
            missing: Missing change of each parameter for a perfect action, in steps of the skill.
        """
        if self._rng.random() < self._silence:
            return None
        fitting = remarks() if self._rng.random() < self._noise else self._fitting(missing)
        return TeacherRemark(fitting[int(self._rng.integers(len(fitting)))], float(self._rng.uniform(*_DELAY)))

    def _fitting(self, missing: Vector) -> Sequence[Remark]:
        error = float(np.linalg.norm(missing))
        if error < _PERFECT:
            return [one for one in remarks() if one.kind is Occasion.PRAISE]
        mood = self._rng.random()
        if error < _PASSABLE:
            return self._said(Occasion.PARTIAL, missing) if mood < self._hints else _plain(Occasion.PARTIAL)
        return self._said(Occasion.CORRECTION, missing) if mood < _PRECISE else _plain(Occasion.CRITICISM)

    def _said(self, kind: Occasion, missing: Vector) -> Sequence[Remark]:
        """Returns the remarks that ask for the right change of the parameter with the largest error."""
        worst = int(np.argmax(np.abs(missing)))
        parameter, sign = self._skill.parameters[worst], np.sign(missing[worst])
        return [
            one for one in remarks() if one.kind is kind and any(parameter.direction(axis) == sign for axis in one.axes)
        ]


@dataclass(frozen=True)
class Mistakes:
    """Error rates of a simulated scorer. Like a model, the scorer misreads a given sentence always in the same way.

    Attributes:
        sign: Share of wrong signs, of which two thirds are inverted. The confidence is correct.
        axis: Share of wrong directions, of which a quarter are replaced by others and the rest are missed.
        false_axis: Share of sentences without a direction in which the scorer finds one.
    """

    sign: float = 0.0
    axis: float = 0.0
    false_axis: float = 0.0


PERFECT = Mistakes()

MODEST = Mistakes(sign=0.23, axis=0.23, false_axis=0.07)
"""Error rates of a linear head on sentence embeddings with a few rules, measured on sentences by another author."""


class LabelScorer:
    """Scorer that knows the labels of the teacher's sentences and makes a given share of mistakes.

    It is the baseline for reward models.

    Args:
        mistakes: Error rates.
        seed: Random seed for the choice of the misread sentences.
    """

    def __init__(self, mistakes: Mistakes = PERFECT, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self._scores = {remark.text: _misread(remark, mistakes, rng) for remark in remarks()}

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """Returns the score of a sentence from the file.

        Raises:
            KeyError: The sentence is not in the file.
        """
        return self._scores[text]


def _remark(row: Mapping[str, str]) -> Remark:
    return Remark(Occasion(row["kind"]), float(row["rating"]), tuple(map(Axis, row["axes"].split())), row["text"])


def _plain(kind: Occasion) -> Sequence[Remark]:
    return [one for one in remarks() if one.kind is kind and not one.axes]


def _misread(remark: Remark, mistakes: Mistakes, rng: np.random.Generator) -> Score:
    confidence = 1.0 - mistakes.sign * float(rng.uniform(0.0, 2.0))
    sign = Sign(int(np.sign(remark.rating)) if abs(remark.rating) >= _LEAST else 0)
    rating = remark.rating
    if rng.random() > confidence:
        sign, rating = _wrong(sign, rating, rng)
    return Score(sign, rating, confidence, _misheard(remark.axes, mistakes, rng))


def _wrong(sign: Sign, rating: float, rng: np.random.Generator) -> tuple[Sign, float]:
    if sign is Sign.NEUTRAL:
        heard = Sign(int(rng.choice((-1, 1))))
        return heard, 0.3 * heard
    if rng.random() < 2.0 / 3.0:
        return Sign(-sign), -rating
    return Sign.NEUTRAL, 0.0


def _misheard(axes: tuple[Axis, ...], mistakes: Mistakes, rng: np.random.Generator) -> tuple[Axis, ...]:
    if rng.random() >= (mistakes.axis if axes else mistakes.false_axis):
        return axes
    invented = (Axis(str(rng.choice(list(Axis)))),)
    return invented if not axes or rng.random() < 0.25 else ()
