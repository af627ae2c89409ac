"""What a free phrase may mean, and which of its readings are likely enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reachy_agent_ros.mind.reflex.clause import Clause
from reachy_agent_ros.mind.reflex.rule import Meanings

LEAST_SIMILARITY = 0.62
"""Cosine below which a phrase is like nothing that is known."""

LEAST_MARGIN = 0.05
"""By how much a meaning must be likelier than the next to be acted on."""

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


def likely(found: Sequence[Paraphrase]) -> Sequence[Paraphrase]:
    """Those that the best does not clearly outdo; none, if what is not to be obeyed is among them."""
    if not found or found[0].likeness < LEAST_SIMILARITY:
        return ()
    if not found[0].is_whole:
        return found[:1]
    near: list[Paraphrase] = []
    for one in (one for one in found if one.is_whole):
        if one.likeness < found[0].likeness - LEAST_MARGIN:
            break
        if not one.meanings:
            return ()
        if one.meanings not in [other.meanings for other in near]:
            near.append(one)
    return near[:_MOST_OPTIONS]
