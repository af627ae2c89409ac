"""What a free phrase may mean, and which of its readings are likely enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.rule import Meanings

LEAST_LIKELY = 0.7
"""Probability from which a meaning is acted on: to act wrongly is worse than to leave it to a model."""

LEAST_TO_ASK = 0.5
"""The same to ask back, which harms nobody."""

LEAST_LIKELY_OTHERWISE = 0.9
"""The same for what has not the grammar of a request."""

_MOST_OPTIONS = 3


@dataclass(frozen=True)
class Paraphrase:
    """One reading of a free phrase.

    Attributes:
        clause: The plain command it stands for, with the phrase's own modifiers.
        meanings: What the rules make of that.
        likeness: 0..1.
        is_whole: Whether it names every side that it needs; otherwise `meanings` has one for each.
    """

    clause: Clause
    meanings: Meanings
    likeness: float
    is_whole: bool = True


def likely(found: Sequence[Paraphrase], least: float = LEAST_LIKELY) -> Sequence[Paraphrase]:
    """The likeliest, with those half as likely; none, if one is not to be obeyed, or all are unlikely."""
    best = max((one.likeness for one in found), default=0.0)
    near = sorted((one for one in found if one.likeness >= best / 2), key=lambda one: -one.likeness)[:_MOST_OPTIONS]
    is_whole = all(one.is_whole for one in near)
    asks = len(near) > 1 or not is_whole
    if sum(one.likeness for one in near) < min(least, LEAST_TO_ASK if asks else least):
        return ()
    if not all(one.meanings for one in near):
        return ()
    return near if is_whole else near[:1]
