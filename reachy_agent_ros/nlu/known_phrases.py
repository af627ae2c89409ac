"""The phrases that the robot comes with, and how a phrase is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from reachy_agent_ros.nlu.clause import Clause, take_apart
from reachy_agent_ros.nlu.exemplars import NOTHING, exemplars
from reachy_agent_ros.nlu.slots import slots_of
from reachy_agent_ros.nlu.vocabulary import Vocabulary

_DENIAL = re.compile(r"no (?:need|more|longer|\w+ing|photos?|pictures?|nods?)\b")
_INDIRECT = re.compile(r"^(?:could|would) (?=(?:both|your|those|all)\b)")
_MISHEARD = re.compile(r"\byou (head|body|torso|ears?|antennas?|eyes|chin|neck|(?:left|right)$)\b")


def known_phrases(vocabulary: Vocabulary) -> Mapping[str, str]:
    """The plain command of each exemplar that stands for one, by its masked phrase (see `slots.Slots`)."""
    masked = ((slots_of(phrase_taken_apart(one.phrase).core, vocabulary).masked, one.plain) for one in exemplars())
    return {phrase: plain for phrase, plain in masked if plain != NOTHING}


def phrase_taken_apart(phrase: str) -> Clause:
    """A clause as free phrasing reads it: what recognisers mishear is mended, a denial is no courtesy."""
    clause = take_apart(_INDIRECT.sub("", _MISHEARD.sub(r"your \1", phrase)))
    # "No nodding" is no courtesy and a command.
    return replace(clause, text=phrase, core=phrase) if _DENIAL.match(phrase) else clause
