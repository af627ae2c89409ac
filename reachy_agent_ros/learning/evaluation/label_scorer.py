"""A scorer that knows what the teacher's sentences are worth, and is wrong about as often as it is told to be."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.evaluation.remark import Remark, remarks
from reachy_agent_ros.learning.score import Score, Sign

_LEAST = 0.15
"""Ratings nearer to 0 say nothing."""


@dataclass(frozen=True)
class Mistakes:
    """How often it is wrong; each sentence is misread once and for all, as a model misreads it.

    Attributes:
        sign: Of the signs, of which two thirds turn into the opposite; what it says of its confidence is true.
        axis: Of the directions, of which a quarter turn into others and the rest are missed.
        false_axis: Of the sentences without a direction, in which it finds one.
    """

    sign: float = 0.0
    axis: float = 0.0
    false_axis: float = 0.0


PERFECT = Mistakes()

MODEST = Mistakes(sign=0.23, axis=0.23, false_axis=0.07)
"""Of a linear head on sentence embeddings with a few rules, measured on sentences of another author."""


class LabelScorer:
    """What a reward model is compared with.

    Args:
        mistakes: How often it is wrong.
        seed: Of which sentences.
    """

    def __init__(self, mistakes: Mistakes = PERFECT, seed: int = 0) -> None:
        rng = np.random.default_rng(seed)
        self._scores = {remark.text: _misread(remark, mistakes, rng) for remark in remarks()}

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        """The score of a sentence of the file.

        Raises:
            KeyError: It is none.
        """
        return self._scores[text]


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
