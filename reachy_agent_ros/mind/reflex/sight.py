"""Finding things, looking at them, and following a face."""

from __future__ import annotations

import re

from reachy_agent_ros.mind.reflex.clause import Clause
from reachy_agent_ros.mind.reflex.rule import NOTHING, Meanings, Rule, call, command

_NOUNS = (
    "apple croissant duck face cup mug bottle glass bowl plate fork knife spoon banana orange sandwich pizza cake "
    "book pen pencil phone laptop keyboard mouse remote ball clock vase chair plant lamp bag box key scissors toy cat "
    "dog bird"
)
"""Things on a table or in a room, by the names that detectors know them by. Other nouns are left to a model: nobody
finds a mistake or looks at the time by turning the head."""

_ALIKE = {"duck": "ducky duckie duckling", "face": "person human people somebody someone anybody anyone"}

NOUNS = {noun: noun for noun in _NOUNS.split()} | {
    word: noun for noun, words in _ALIKE.items() for word in words.split()
}

_THING = (
    r"(?:(?:the|a|an|my|your|that|this|some) )?(?:(?:little|small|yellow|red|green|rubber|toy) )*"
    rf"(?P<thing>{'|'.join(sorted(NOUNS, key=len, reverse=True))})(?: (?:on|from) the (?:table|desk)| over there)?"
)
_FACE = (
    r"(?:me|my face|my head|us|people|faces|(?:the|a) (?:face|person))(?: (?:around|with (?:your|the) (?:head|eyes)))?"
)

_TRACKING = r"(?:(?:head|face) (?:tracking|following))"
_ON = rf"(?:start|begin|enable|activate|turn on|switch on) {_TRACKING}|(?:turn|switch) {_TRACKING} on|{_TRACKING} on"
_OFF = (
    rf"(?:stop|end|disable|deactivate|turn off|switch off) {_TRACKING}|(?:turn|switch) {_TRACKING} off|{_TRACKING} off"
)


def _find(match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("find_object", name=NOUNS[match["thing"]])) if clause.plain else NOTHING


def _look_at(match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("look_at_object", name=NOUNS[match["thing"]])) if clause.plain else NOTHING


def _follow(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("head_tracking", enabled=True)) if clause.plain else NOTHING


def _let_go(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("head_tracking", enabled=False)) if clause.plain else NOTHING


RULES = (
    Rule(
        re.compile(
            rf"(?:(?:find|locate|spot)(?: me| us)?|(?:look|search|hunt|have a look) (?:around )?for|"
            rf"(?:(?:show|tell)(?: me| us)? )?where is|(?:show|tell)(?: me| us)? where) {_THING}(?: is)?"
        ),
        _find,
    ),
    Rule(
        re.compile(
            rf"(?:(?:look|stare|gaze|glance|peek) at|(?:turn|point|move)(?: (?:your|the) (?:head|eyes|face))? "
            rf"(?:to|towards?)|focus on|face) {_THING}"
        ),
        _look_at,
    ),
    Rule(re.compile(rf"(?:follow|track|watch|keep (?:looking at|following|watching)) {_FACE}|{_ON}"), _follow),
    Rule(re.compile(rf"(?:stop|quit) (?:following|tracking|watching|looking at) {_FACE}|{_OFF}"), _let_go),
)
"""Applied in order."""
