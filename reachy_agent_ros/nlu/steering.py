"""Rules that pause and continue motions. The sentence templates know further phrases in all languages."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import NOTHING, Clause, Meanings, PhraseRule, Size, call, command
from reachy_agent_ros.nlu.decision import PAUSE
from reachy_agent_ros.nlu.stop.plain_words import plain_words
from reachy_agent_ros.nlu.text import strip_courtesies

_ARTICLES = r"(?:(?:a|an|the|eine?|kleine|kurze?|une|petite|una|uma|pequena) )*"
_PAUSE = re.compile(
    rf"(?:(?:take|have|make|mach|mache|fais|faites|haz|fai|faz|hier) )?{_ARTICLES}(?:pause|pausa|pausita|break)\b.*"
)
"""Stops that ask for a pause, in all languages: the stop detector decides that they are stops."""

_RESUME = (
    r"(?:carry on|continue|resume|unpause|proceed)"
    r"(?: with)?(?: (?:it|that|this|the (?:dance|move|movement|motion)|dancing|moving|what you were doing))?"
)


_GO_ON = re.compile(r"(?:(?:ok|okay|alright|all right|yes|now|and|so|please|well) )*go on(?: please)?")


def goes_on(text: str) -> bool:
    """Returns whether a sentence is only "go on", which in front of a command is a courtesy."""
    return _GO_ON.fullmatch(" ".join(word for word in plain_words(text) if word.isalpha())) is not None


def halt_of(clause: str) -> str:
    """Returns the tool for a clause that is a stop: `pause` if it asks for a pause, otherwise `stop`."""
    return PAUSE if _PAUSE.fullmatch(strip_courtesies(clause)) else "stop"


def _resume(_match: re.Match[str], clause: Clause) -> Meanings:
    plain = clause.degrees is None and clause.times is None and clause.duration is None
    return command(call("resume")) if plain and clause.size is Size.NORMAL else NOTHING


RULES = (PhraseRule(_RESUME, _resume),)
