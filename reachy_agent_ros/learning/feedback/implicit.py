"""Implicit feedback from a person who repeats a command, interrupts the robot, or moves it by hand.

The value of such a signal is learned from cases in which the same person also judged the same action explicitly. With
few cases, a general prior dominates. Silence is not a signal: most people do not comment on success.
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
from reachy_agent_ros.learning.feedback.schema import JUDGMENTS, REWARDS
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackEvent, FeedbackSource, judgment_from
from reachy_agent_ros.learning.score import Score, sign_of

ALIKE = 0.6
"""Minimum share of common words for a sentence to count as a repetition of the previous one."""

_CONVERSATIONS = 50
"""Number of conversations whose last sentence is remembered."""


class Signal(StrEnum):
    """Kind of implicit feedback."""

    REPETITION = "repetition"
    INTERRUPTION = "interruption"
    TAKEOVER = "takeover"


_GENERAL: Mapping[Signal, tuple[float, float]] = {
    Signal.REPETITION: (0.5, 0.8),
    Signal.INTERRUPTION: (0.5, 0.7),
    Signal.TAKEOVER: (0.6, 0.85),
}
"""Prior probability of criticism, for the weakest and the strongest signal; assumed, not measured."""

_GENERAL_WEIGHT = 10.0
"""Weight of the prior, in observations."""


@dataclass(frozen=True)
class Observation:
    """Implicit signal and explicit rating that the same person gave for the same action.

    Attributes:
        person: Name of the person; empty if unknown.
        signal: Kind of the signal.
        strength: Strength of the signal, 0..1.
        rating: Explicit rating, -1..1, in words or by a button.
    """

    person: str
    signal: Signal
    strength: float
    rating: float


def implicit_judgment(
    signal: Signal, strength: float, *, person: str = "", given: float | None = None
) -> FeedbackEvent:
    """Creates a judgment from an implicit signal, to be scored later by `ImplicitCalibration.score`.

    Args:
        signal: Kind of the signal.
        strength: Strength of the signal, 0..1, for example the similarity of the repeated commands. The judgment stores
            the negated value as its rating.
        person: Name of the person; empty if unknown.
        given: Time of the signal, s since the epoch; None for now.

    Raises:
        AgentError: Same as for `judgment_from`.
    """
    return judgment_from(FeedbackSource.IMPLICIT, signal.value, rating=-strength, person=person, given=given)


def likeness(command: str, again: str) -> float:
    """Returns the similarity (0 to 1) of two commands, which is the Jaccard index of their sets of words."""
    first, second = (set(text.casefold().split()) for text in (command, again))
    return len(first & second) / len(first | second) if first | second else 0.0


class Repetition:
    """Detects sentences that a person repeats within a conversation."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, str] = OrderedDict()

    def strength(self, conversation: str, text: str) -> float:
        """Compares a sentence with the previous one of the same conversation. Stores it for the next comparison.

        Returns:
            `ALIKE`..1 for a repetition; 0 otherwise.
        """
        before = self._last.pop(conversation, "")
        self._last[conversation] = text
        while len(self._last) > _CONVERSATIONS:
            self._last.popitem(last=False)
        alike = likeness(before, text)
        return alike if alike >= ALIKE else 0.0


class ImplicitCalibration:
    """Estimates for each person how likely an implicit signal means criticism.

    For each person and signal, the probability of criticism is isotonic in the signal's strength (Zadrozny and Elkan,
    "Transforming classifier scores into accurate multiclass probability estimates", KDD 2002), shrunk toward a general
    prior. Immutable and thread-safe.

    Args:
        observations: Signals with explicit ratings.
    """

    def __init__(self, observations: Iterable[Observation] = ()) -> None:
        groups: dict[tuple[str, Signal], list[Observation]] = {}
        for one in observations:
            if sign_of(one.rating):
                groups.setdefault((one.person, one.signal), []).append(one)
        self._fits = {key: _fit(key[1], group) for key, group in groups.items()}
        self._general = {signal: _fit(signal, ()) for signal in Signal}

    def score(self, judgment: FeedbackEvent) -> Score:
        """Scores an implicit judgment as criticism or neutral, never as praise.

        Args:
            judgment: Result of `implicit_judgment`.

        Raises:
            AgentError: `INVALID_ARGUMENTS` if the text of the judgment is not the name of a signal.
        """
        try:
            signal = Signal(judgment.text)
        except ValueError:
            message = f"Unknown implicit signal {judgment.text!r:.50}: expected one of {', '.join(Signal)}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
        fit = self._fits.get((judgment.person, signal), self._general[signal])
        criticism = max(0.5, fit.at(abs(judgment.rating or 0.0)))
        rating = 1.0 - 2.0 * criticism
        return Score(sign_of(rating), rating, criticism)


def observations(store: FeedbackStore) -> list[Observation]:
    """Returns stored signals, each with the mean of the explicit ratings by the same person for the same actions.

    Leaves out signals without such ratings.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    shown, said = JUDGMENTS.alias("shown"), JUDGMENTS.alias("said")
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
    """Nondecreasing curve that is linear between given points and constant beyond them.

    Attributes:
        positions: Positions of the points, ascending, shape (n,).
        heights: Heights at these positions, ascending, shape (n,).
    """

    positions: NDArray[np.float64]
    heights: NDArray[np.float64]

    def at(self, position: float) -> float:
        """Returns the height of the curve at a position."""
        return float(np.interp(position, self.positions, self.heights))


def fit_isotonic(points: Iterable[tuple[float, float, float]]) -> Isotonic:
    """Fits an isotonic curve by least squares with the pool adjacent violators algorithm.

    Ayer et al., "An empirical distribution function for sampling with incomplete information", 1955.

    Args:
        points: Position, height and weight (above 0) of each point; at least one.
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
