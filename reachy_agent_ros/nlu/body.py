"""Turning the body, and the turns that may mean head or body."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.amount import NUMBER, Size
from reachy_agent_ros.nlu.clause import Clause
from reachy_agent_ros.nlu.direction import CENTER, head_angles, side
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, Rule, call, timed

BODY_YAW_DEG = {Size.LITTLE: 20.0, Size.NORMAL: 45.0, Size.FAR: 90.0}
"""How far a turn of the body goes."""

BEHIND_DEG = 160.0
"""What "turn around" comes to: the body turns no further."""

_BODY = r"(?:(?:your|the) )?(?:(?:whole|entire) )?(?:body|torso|base|trunk|yourself)"
_TURN = r"(?:turn|rotate|twist|spin|swivel|pivot|swing)"
_SIDE = r"(?:(?:to|towards?|over|on|the|your|around|round) )*(?P<side>left|right)(?: hand)?(?: side)?"


def _turn(match: re.Match[str], clause: Clause) -> Meanings:
    if clause.times is not None or (clause.degrees or 0.0) < 0.0:
        return NOTHING
    size = BODY_YAW_DEG[clause.size] if clause.degrees is None else clause.degrees
    return timed(clause, {"yaw_deg": side(match["side"]) * size}, "rotate_body")


def _to_angle(match: re.Match[str], clause: Clause) -> Meanings:
    """An angle with a sign, or by the name of the axis, needs no side."""
    degrees = clause.degrees if match["bare"] is None else float(match["bare"])
    if degrees is None or clause.times is not None or (degrees > 0.0 and match["axis"] is None):
        return NOTHING
    return timed(clause, {"yaw_deg": degrees}, "rotate_body")


def _head_or_body(match: re.Match[str], clause: Clause) -> Meanings:
    head = head_angles((match["side"],), clause)
    if head is None or clause.times is not None:
        return NOTHING
    return [[call("move_head", **head, duration_s=clause.duration)], *_turn(match, clause)]


def _behind(_match: re.Match[str], clause: Clause) -> Meanings:
    return _to(clause, BEHIND_DEG)


def _straight(_match: re.Match[str], clause: Clause) -> Meanings:
    return _to(clause, 0.0)


def _to(clause: Clause, yaw_deg: float) -> Meanings:
    if clause.degrees or clause.times is not None:
        return NOTHING
    return timed(clause, {"yaw_deg": yaw_deg}, "rotate_body")


RULES = (
    Rule(re.compile(rf"(?:{_TURN}|move) {_BODY} {_SIDE}"), _turn),
    Rule(re.compile(rf"{_BODY} {_SIDE}"), _turn),
    Rule(
        re.compile(
            rf"(?:(?:{_TURN}|move|set|put) )?{_BODY}(?: rotation)?(?P<axis> yaw)?(?: angle)?(?: (?P<bare>{NUMBER}))?"
        ),
        _to_angle,
    ),
    Rule(
        re.compile(
            rf"(?:{_TURN} {_BODY}|{_TURN})(?: (?:right|all the way|completely))? (?:around|round)|(?:about|u) turn|"
            rf"(?:do|make) an? (?:about (?:face|turn)|u turn)|(?:look|face) behind(?: you| yourself)?|"
            rf"(?:turn|show)(?: me| us)? your back(?: (?:to|towards?|on) (?:me|us))?|face the other (?:way|direction)"
        ),
        _behind,
    ),
    Rule(re.compile(rf"(?:(?:{_TURN}|move|return) )?{_BODY} {CENTER}|(?:center|straighten|reset) {_BODY}"), _straight),
    Rule(re.compile(rf"(?:{_TURN}|go) {_SIDE}"), _head_or_body),
)
"""Applied in order."""

BARE_CENTER = Rule(re.compile(CENTER), _straight)
"""Straight ahead alone, which does too."""

BARE_SIDE = Rule(re.compile(_SIDE), _turn)
"""A side alone, which continues a turn of the body."""
