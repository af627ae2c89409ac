"""Implicit feedback: what people do instead of judging. They repeat a command, interrupt, or take over.

None of it is a judgement by itself. What it is worth is learned from those moments in which a person did one of these
and judged the same act in words as well; until there are enough of these, from what people are like in general. Silence
is no signal: most people say nothing of what goes well.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import func, select

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.schema import JUDGEMENTS, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource, judgement_from
from reachy_agent_ros.learning.score import Score, sign_of

ALIKE = 0.6
"""Share of the words from which a sentence is taken for the one before."""

_CONVERSATIONS = 50
"""Of which the last sentence is known."""


class Signal(StrEnum):
    """What somebody did."""

    REPETITION = "repetition"
    INTERRUPTION = "interruption"
    TAKEOVER = "takeover"


_GENERAL: Mapping[Signal, tuple[float, float]] = {
    Signal.REPETITION: (0.5, 0.8),
    Signal.INTERRUPTION: (0.5, 0.7),
    Signal.TAKEOVER: (0.6, 0.85),
}
"""Probability that it was meant as criticism, for the weakest and the strongest; assumed, until people tell."""

_GENERAL_WEIGHT = 10.0
"""Observations that the assumption counts for, against a person's own."""


@dataclass(frozen=True)
class Observation:
    """A signal, and what the same person said of the same act.

    Attributes:
        person: Who, empty if unknown.
        signal: What they did.
        strength: 0..1.
        rating: -1..1, in words or by a button.
    """

    person: str
    signal: Signal
    strength: float
    rating: float


def implicit_judgement(
    signal: Signal, strength: float, *, person: str = "", given: float | None = None
) -> FeedbackEvent:
    """A signal as a judgement, before it is known what it is worth.

    Args:
        signal: What somebody did.
        strength: 0..1: how alike the repeated commands are, how much of the act the interruption cut off, how long a
            hand held on. It becomes the judgement's rating, negated.
        person: Who, empty if unknown.
        given: s since the epoch; None: now.

    Raises:
        AgentError: As `judgement_from`.
    """
    return judgement_from(FeedbackSource.IMPLICIT, signal.value, rating=-strength, person=person, given=given)


def likeness(command: str, again: str) -> float:
    """How much a command repeats another one.

    Returns:
        0..1: share of all their words that both have (Jaccard's index).
    """
    first, second = (set(text.casefold().split()) for text in (command, again))
    return len(first & second) / len(first | second) if first | second else 0.0


class Repetition:
    """Compares each sentence with the one before it in its conversation."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, str] = OrderedDict()

    def strength(self, conversation: str, text: str) -> float:
        """How much of a repetition this sentence is, which then counts as said.

        Returns:
            `ALIKE`..1, or 0 for none.
        """
        before = self._last.pop(conversation, "")
        self._last[conversation] = text
        while len(self._last) > _CONVERSATIONS:
            self._last.popitem(last=False)
        alike = likeness(before, text)
        return alike if alike >= ALIKE else 0.0


class ImplicitCalibration:
    """What signals are worth, by person.

    For each person and signal, the probability of criticism is isotonic in the signal's strength (Zadrozny and Elkan,
    "Transforming classifier scores into accurate multiclass probability estimates", KDD 2002), shrunk towards what
    holds for people in general. Any thread may use it; it never changes.

    Args:
        observations: What has been seen so far.
    """

    def __init__(self, observations: Iterable[Observation] = ()) -> None:
        groups: dict[tuple[str, Signal], list[Observation]] = {}
        for one in observations:
            if sign_of(one.rating):
                groups.setdefault((one.person, one.signal), []).append(one)
        self._fits = {key: _fit(key[1], group) for key, group in groups.items()}
        self._general = {signal: _fit(signal, ()) for signal in Signal}

    def score(self, judgement: FeedbackEvent) -> Score:
        """What an implicit judgement is worth: never praise, because nobody praises by interrupting.

        Args:
            judgement: From `implicit_judgement`.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is not implicit.
        """
        try:
            signal = Signal(judgement.text)
        except ValueError:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is no signal {judgement.text!r:.50}.") from None
        fit = self._fits.get((judgement.person, signal), self._general[signal])
        criticism = max(0.5, fit.at(abs(judgement.rating or 0.0)))
        rating = 1.0 - 2.0 * criticism
        return Score(sign_of(rating), rating, criticism)


def observations(store: FeedbackStore) -> list[Observation]:
    """Each signal with the mean of what the same person said of the same act.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    shown, said = JUDGEMENTS.alias("shown"), JUDGEMENTS.alias("said")
    shown_of, said_of = REWARDS.alias("shown_of"), REWARDS.alias("said_of")
    query = (
        select(shown.c.person, shown.c.text, shown.c.rating, func.avg(said_of.c.rating).label("mean"))
        .join(shown_of, shown_of.c.feedback_id == shown.c.feedback_id)
        .join(said_of, said_of.c.act_id == shown_of.c.act_id)
        .join(said, (said.c.feedback_id == said_of.c.feedback_id) & (said.c.person == shown.c.person))
        .where(shown.c.source == FeedbackSource.IMPLICIT.value, said.c.source != FeedbackSource.IMPLICIT.value)
        .group_by(shown.c.feedback_id, shown.c.person, shown.c.text, shown.c.rating)
        .order_by(shown.c.feedback_id)
    )
    return [Observation(row.person, Signal(row.text), abs(row.rating), row.mean) for row in store.find(query)]


@dataclass(frozen=True, eq=False)
class Isotonic:
    """A curve that never falls, straight between its points and level beyond them.

    Attributes:
        positions: Ascending.
        heights: Likewise, of the same length.
    """

    positions: NDArray[np.float64]
    heights: NDArray[np.float64]

    def at(self, position: float) -> float:
        """Its height there."""
        return float(np.interp(position, self.positions, self.heights))


def fit_isotonic(points: Iterable[tuple[float, float, float]]) -> Isotonic:
    """Fits by least squares, pooling adjacent violators.

    Ayer et al., "An empirical distribution function for sampling with incomplete information", 1955.

    Args:
        points: Position, height and weight (above 0) of each; at least one.
    """
    heaps: dict[float, list[float]] = {}  # weight, weighted positions, weighted heights
    for position, height, weight in points:
        heaps[position] = _together(heaps.get(position, [0.0] * 3), [weight, weight * position, weight * height])
    blocks: list[list[float]] = []
    for _, block in sorted(heaps.items()):
        blocks.append(block)
        while len(blocks) > 1 and blocks[-2][2] / blocks[-2][0] >= blocks[-1][2] / blocks[-1][0]:
            last = blocks.pop()
            blocks[-1] = _together(blocks[-1], last)
    weights, positions, heights = np.array(blocks).T
    return Isotonic(positions / weights, heights / weights)


def _fit(signal: Signal, observations: Iterable[Observation]) -> Isotonic:
    weakest, strongest = _GENERAL[signal]
    points = [(0.0, weakest, _GENERAL_WEIGHT / 2.0), (1.0, strongest, _GENERAL_WEIGHT / 2.0)]
    points += [(one.strength, float(one.rating < 0.0), 1.0) for one in observations]
    return fit_isotonic(points)


def _together(one: list[float], other: list[float]) -> list[float]:
    return [mine + theirs for mine, theirs in zip(one, other, strict=True)]
