"""Listing the objects in view, and questions that only a look at the scene answers."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, Rule, call, command
from reachy_agent_ros.nlu.things import NOUNS, PLURALS

_HERE = (
    r"(?:(?:right )?(?:there|here|now|in front of (?:you|the camera)|before you|around(?: you| here)?|in view|nearby|"
    r"in (?:the|this|your) (?:room|picture|image|scene|view)|on (?:the|this|my|your) (?:table|desk|floor|shelf))|"
    r"(?:that )?you (?:can )?(?:currently )?(?:see|detect|recogni[sz]e|spot)|(?:that are )?visible)"
)
_OBJECTS = r"(?:(?:the|any|some|all|all the|all of the|every|known) )?(?:objects?|things?|items?|stuff|everything)"
_SEE = r"(?:can you|do you|could you) (?:currently )?(?:see|detect|recogni[sz]e|identify|spot|make out|find)"

_DETECT = re.compile(
    rf"(?:detect|recogni[sz]e|identify|spot|scan for) {_OBJECTS}(?: {_HERE})*|"
    rf"(?:list|enumerate|name)(?: me| us)? {_OBJECTS}(?: {_HERE})+|"
    rf"(?:list|enumerate) (?:the|all|all the) (?:objects|things|items)|"
    rf"(?:do|run|start|perform)(?: an?| the| your)? object (?:detection|recognition)(?: {_HERE})*|object detection|"
    rf"(?:what|which)(?: (?:kinds?|sorts?|types?) of)? (?:objects?|things|items) (?:{_SEE}|(?:are|is)(?: {_HERE})+)"
    rf"(?: {_HERE})*|"
    rf"(?:tell|show)(?: me| us)? (?:what|which) (?:objects?|things|items) (?:you (?:can )?(?:see|detect|recogni[sz]e)|"
    rf"(?:are|is)(?: {_HERE})+)(?: {_HERE})*|"
    rf"(?:tell|show|give)(?: me| us)? (?:a list of )?(?:all )?(?:the |all the )?(?:objects|things|items)(?: {_HERE})+|"
    rf"(?:make|give me|show me) (?:a|the) list of {_OBJECTS}(?: {_HERE})+|"
    rf"what (?:can|do) you (?:detect|recogni[sz]e)(?: {_HERE})*|tell me what you (?:can )?detect"
)

_THINGS = (
    rf"(?:\w+ )?(?:people|persons|faces|kids|children|fingers|hands|{'|'.join([*PLURALS, *NOUNS])}|objects|"
    rf"things|items)"
)
_LOOKED_AT = (
    r"(?:the (?:scene|room|table|desk|picture|image|view|situation)|your (?:surroundings|view|environment)|"
    r"what (?:you (?:can )?see|is (?:in front of you|before you|around you|on the (?:table|desk)|going on)))"
)
_COLOUR = r"what colou?rs?"
_ASKS = re.compile(r"^(?:tell|show) (?:me|us) ")
_MINE = (
    r"(?:(?:the|my|this|that|your) )?(?:shirt|sweater|hair|jacket|hat|dress|t shirt|tie|glasses|eyes|shoes|trousers)"
)
_QUESTION = re.compile(
    rf"how many {_THINGS} (?:{_SEE}|you (?:can )?see|am i holding(?: up)?|i am holding(?: up)?|"
    rf"(?:are|is)(?: there)?(?: {_HERE})+|are there)(?: {_HERE})*|"
    rf"(?:count|count up) (?:the|all|all the|how many|my) {_THINGS}(?: (?:there are|are there))?(?: {_HERE})*|"
    rf"(?:analy[sz]e|examine and analy[sz]e|assess|evaluate|interpret) {_LOOKED_AT}(?: {_HERE})*(?: for .+)?|"
    rf"(?:do|give me|run|perform) (?:a |an )?(?:scene )?analysis(?: of {_LOOKED_AT})?|"
    rf"{_COLOUR} (?:is|are) (?:{_MINE}|this|that|these|(?:the|this|that|my) (?:{'|'.join(NOUNS)}))(?: {_HERE})*|"
    rf"{_COLOUR} do you see|"
    rf"is (?:there )?(?:anybody|anyone|somebody|someone|a person|anything|something)(?: {_HERE})+|"
    rf"are there any {_THINGS}(?: {_HERE})+|"
    rf"(?:which|what) (?:{'|'.join(NOUNS)}|object|thing|item) is (?:the )?(?:bigger|biggest|largest|smallest|nearest|"
    rf"closest|tallest|left|leftmost|rightmost|in the middle)(?: {_HERE})*"
)


def _detect(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("detect_objects")) if clause.plain else NOTHING


RULES = (Rule(_DETECT, _detect),)
"""Applied in order."""


def scene_question(sentence: str) -> str | None:
    """What a clause without courtesies asks that only a look at the scene tells, such as how many there are."""
    question = _ASKS.sub("", sentence)
    return question if _QUESTION.fullmatch(question) else None
