"""Photos, the robot's state, and what it sees."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, Rule, call, command

_PICTURE = r"(?:photo|photograph|picture|pic|snapshot|selfie|image|shot)"
_OF = (
    r"(?: (?:of|with) (?:me|us|this|that|it|the room|the scene|everything|what you see|what is in front of you|"
    r"your surroundings|yourself|your camera|"
    r"(?:the|my|our|this|that|these|those|his|her) (?!.* off$)\w+(?: \w+)?|(?:me|us) and (?:my|our) \w+))?"
)
_STATE = (
    r"(?:(?:robot|current|own|internal|joint) )*(?:state|status|pose|posture|position|joint angles)"
    r"(?: of (?:your|the) (?:body|head|motors|joints|robot|antennas))?"
)


def _photo(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("take_photo")) if clause.plain else NOTHING


def _state(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("get_robot_state")) if clause.plain else NOTHING


RULES = (
    Rule(
        re.compile(
            rf"(?:take|snap|shoot|capture|make|grab|get)(?: me| us)? (?:a|an|another|1|the|1 more)(?: (?:new|nice))? "
            rf"{_PICTURE}{_OF}|(?:photograph|picture) (?:me|us|this|that|the room)|take {_PICTURE}s?{_OF}"
        ),
        _photo,
    ),
    Rule(
        re.compile(
            rf"(?:what is|tell me|give me|report|show me|show|check|get|read(?: out)?(?: me)?)(?: (?:your|the))? "
            rf"{_STATE}|"
            r"(?:robot )?(?:state|status)(?: report| check)?|(?:give me a |get )?status report|"
            r"where is your head(?: pointing| now)?|where are you (?:looking|facing|pointing)(?: at)?|are you moving|"
            r"which way are you (?:looking|facing)|what is your head (?:position|pose|angle|orientation)"
        ),
        _state,
    ),
)
"""Applied in order."""

BARE_LOOK = re.compile(r"(?:(?:take|have) a )?look(?: here| there| at (?:this|that))?")
"""A look at nothing that is named, before a question what is to be seen."""

SIGHT = re.compile(
    r"(?:(?:tell|show|let)(?: me| us)?(?: know)? |describe(?: to me)? |say |report |explain )?"
    r"(?:what (?:do|can) you see|what you (?:can )?see|what (?:are you|you are) (?:looking at|seeing)|"
    r"what (?:do you notice|am i (?:holding|wearing|doing)|can your camera see|is (?:visible|in view|happening|"
    r"going on))|"
    r"who (?:is (?:there|in front of you|here)|do you see|can you see)|what is (?:(?:there|in front of you|before "
    r"you|around you|over there)))"
    r"(?: (?:there|here|now|in front of you|around you|over there|with your camera))?|"
    r"describe (?:the (?:scene|room|view|picture|photo|image)|your (?:surroundings|view)|what is in front of you)"
)
"""Asking what the robot sees."""
