"""Finding things, looking at them, and following a face."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, Rule, call, command
from reachy_agent_ros.nlu.things import THING, thing_named

_FACE = (
    r"(?:me|my face|my head|us|people|faces|(?:(?:the|a) (?:face|person|human)|whoever is|who is|the person who is)"
    r"(?: in front(?: of you)?)?|where i (?:go|am|walk))"
    r"(?: (?:around|with (?:your|the) (?:head|eyes|gaze|face)|around the room|wherever i go|everywhere|"
    r"(?:while|as|when) i (?:walk|move|go|talk|speak|work)(?: (?:around|about))?))*"
)
_AWAY = r"(?: (?:any ?more|any longer|any further|already|around|everywhere))*"

_FOLLOWING = r"(?:following|tracking|watching|staring at|looking at|keeping track of)"
_TRACKING = r"(?:the )?(?:(?:head|face) (?:tracking|following)|tracking|follow mode|following mode)"
_ON = rf"(?:start|begin|enable|activate|turn on|switch on) {_TRACKING}|(?:turn|switch) {_TRACKING} on|{_TRACKING} on"
_OFF = (
    rf"no more {_FOLLOWING}|(?:stop|end|disable|deactivate|cancel|no more|turn off|switch off) {_TRACKING}|"
    rf"(?:turn|switch) {_TRACKING} off|{_TRACKING} off"
)


def _find(match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("find_object", name=thing_named(match["thing"]))) if clause.plain else NOTHING


def _look_at(match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("look_at_object", name=thing_named(match["thing"]))) if clause.plain else NOTHING


def _follow(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("head_tracking", enabled=True)) if clause.plain else NOTHING


def _let_go(_match: re.Match[str], clause: Clause) -> Meanings:
    return command(call("head_tracking", enabled=False)) if clause.plain else NOTHING


RULES = (
    Rule(
        re.compile(
            rf"(?:go )?(?:(?:(?:try|help me|see if you can) (?:to )?)?(?:find|locate|spot|discover|seek|track down)"
            rf"(?: me| us| out where)?|(?:(?:try|help me) (?:to )?)?(?:look|search|hunt|scan|have a look|go looking)"
            rf"(?: (?:around|everywhere|the (?:room|table|desk)))* for|i am looking for|any sign of|where (?:did|"
            rf"have) i "
            rf"(?:leave|left|put)|(?:can|could) you see where|see where|check where|(?:check|see) (?:whether|if) "
            rf"(?:there is|you (?:can )?(?:see|find|spot|locate))|where has|where did|where have|"
            rf"(?:(?:show|tell)(?: me| us)? )?where (?:is|are)|(?:show|tell)(?: me| us)? where) "
            rf"{THING}(?: (?:is|are|go|gone|been))?"
        ),
        _find,
    ),
    Rule(
        re.compile(
            rf"(?:(?:start|begin) to )?(?:follow|track|watch|keep (?:looking at|following|watching|tracking|facing)|"
            rf"(?:keep|fix) your eyes on|(?:start|begin) (?:following|tracking|watching)|lock onto|lock on to|"
            rf"(?:do not|never) (?:lose (?:sight|track) of|stop (?:following|watching|tracking|looking at)|"
            rf"take your eyes off)|maintain eye contact with|keep eye contact with|keep track of|"
            rf"(?:let|have) your (?:eyes|head|gaze|face) follow) {_FACE}|{_ON}|eyes on me|"
            rf"(?:keep|maintain|hold) eye contact"
        ),
        _follow,
    ),
    Rule(
        re.compile(
            rf"(?:(?:(?:have|take) a (?:(?:good|close|closer|quick) )?)?(?:look|stare|gaze|glance|peek|peer)(?: over|"
            rf" straight| directly| closely)*(?: at| to| towards?)|(?:turn|point|move|direct|aim|bring|set|fix|cast)"
            rf"(?: (?:your|the) (?:head|eyes|face|gaze|camera|attention|view)| yourself)? (?:to(?: face)?|towards?|"
            rf"at|on)|"
            rf"turn to look at|focus(?: your (?:eyes|gaze|attention|camera))? on|concentrate on|face|center (?:on|"
            rf"your (?:gaze|view|"
            rf"camera) on)|keep your eyes on|watch(?= (?:the|that|this) )|"
            rf"(?:put )?(?:your )?eyes on|pay attention to) {THING}(?: closely)?"
        ),
        _look_at,
    ),
    Rule(
        re.compile(
            rf"(?:(?:stop|quit|give up|cease|end|enough|no more|no need to keep|that is enough) {_FOLLOWING}(?: "
            rf"{_FACE})?|"
            rf"(?:(?:i )?(?:do not|no need to|you (?:do not|need not|no longer)(?: (?:have|need) to)?|"
            rf"i do not (?:want|need) you to)) (?:follow|track|watch) {_FACE}){_AWAY}|"
            rf"(?:take your eyes off|let go of|lose track of) {_FACE}|stop face following|{_OFF}"
        ),
        _let_go,
    ),
)
"""Applied in order."""
