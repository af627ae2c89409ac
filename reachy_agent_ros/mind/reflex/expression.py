"""Emotions and dances."""

from __future__ import annotations

import re
from collections.abc import Sequence

from reachy_agent_ros.mind.reflex.clause import Clause, Size
from reachy_agent_ros.mind.reflex.rule import NOTHING, Meanings, Rule, call, command
from reachy_agent_ros.mind.reflex.vocabulary import Vocabulary

_INTENSITY = {Size.LITTLE: 0.5, Size.NORMAL: None, Size.FAR: None}

_SHOW = r"(?:show|express|display|act|look|be|feel|make|do|play|perform|pretend to be|seem|get|give|pull|put on)"
_EMOTION = re.compile(
    rf"{_SHOW}(?: me| us)?(?: (?:that you are|how|a|an|the|your|some|like you are|as if you were|being))*"
    r"(?: (?:really|very|so))? (?P<emotion>[a-z]+)(?: you are)?(?: (?:face|emotion|expression|look|feeling|mood))?"
)
_DANCE = re.compile(
    r"(?:dance|(?:do|show|give|perform|play)(?: me| us)? (?:a|your|some|the)(?: little)? dance|"
    r"(?:start|begin) (?:dancing|to dance)|let us dance|dance with me)"
    r"(?: (?:a|your) (?:little )?(?:dance|jig))?"
)
_NAMED_DANCE = re.compile(r"(?:dance|do|perform|play|show)(?: me| us)?(?: (?:the|a|an|your))? (?P<dance>[a-z ]+)")


def rules(vocabulary: Vocabulary) -> Sequence[Rule]:
    """The rules for what this robot can express."""

    def emotion(match: re.Match[str], clause: Clause) -> Meanings:
        name = vocabulary.emotion(match["emotion"])
        if name is None or clause.degrees is not None or clause.times is not None or clause.duration is not None:
            return NOTHING
        return command(call("express_emotion", emotion=name, intensity=_INTENSITY[clause.size]))

    def dance(_match: re.Match[str], clause: Clause) -> Meanings:
        return _dance(vocabulary.default_dance, clause)

    def named_dance(match: re.Match[str], clause: Clause) -> Meanings:
        return _dance(vocabulary.dance(match["dance"]), clause)

    return (Rule(_EMOTION, emotion), Rule(_DANCE, dance), Rule(_NAMED_DANCE, named_dance))


def _dance(name: str | None, clause: Clause) -> Meanings:
    if name is None or clause.degrees is not None or clause.duration is not None:
        return NOTHING
    return command(call("dance", dance=name, repetitions=clause.times, intensity=_INTENSITY[clause.size]))
