"""Rules for the body and the antennas: turning, raising, lowering, setting and wiggling."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import NOTHING, NUMBER, Clause, Meanings, PhraseRule, Size, call, command, timed
from reachy_agent_ros.nlu.direction import CENTER, head_angles, side

DROOP_DEG = {Size.LITTLE: 45.0, Size.NORMAL: 120.0, Size.FAR: 170.0}
"""Outward angle of lowered antennas, degrees. Negated for the right antenna."""

_WIGGLE_DEG = 30.0
_WIGGLES = 2
_MOST_WIGGLES = 5

_ANTENNAS = r"(?:(?:your|the|both|of|all|2) )*(?:(?P<side>left|right) )?(?:antennas?|antennae|ears?)(?: both)?"
_UP = r"(?:back )?(?:straight )?(?:up|upright|upwards|straight|vertical)"
_DOWN = r"(?:all )?(?:down|downwards|low|flat)"
_PUT = r"(?:put|move|point|bring|set|pull|turn|stick|fold|let)"


def upright(clause: Clause, only: str | None = None) -> Meanings:
    """Returns the command that sets both antennas upright, or only one."""
    return _one_or_both(only, clause, 0.0, 0.0) if clause.degrees is None else NOTHING


def droop(clause: Clause, only: str | None) -> Meanings:
    """Returns the command that lowers both antennas outward, or only one."""
    angle = DROOP_DEG[clause.size]
    return _one_or_both(only, clause, -angle, angle) if clause.degrees is None else NOTHING


def wiggle(clause: Clause, only: str | None = None) -> Meanings:
    """Returns the command that wiggles both antennas, or only one."""
    times = _WIGGLES if clause.times is None else clause.times
    if clause.degrees is not None or not 0 < times <= _MOST_WIGGLES:
        return NOTHING
    angles = [_WIGGLE_DEG, -_WIGGLE_DEG] * times + [0.0]  # ends upright
    return command(*(call("set_antennas", **_of(only, angle, angle)) for angle in angles))


def _up(match: re.Match[str], clause: Clause) -> Meanings:
    return upright(clause, match["side"])


def _down(match: re.Match[str], clause: Clause) -> Meanings:
    return droop(clause, match["side"])


def _angle(match: re.Match[str], clause: Clause) -> Meanings:
    if clause.degrees is None:
        return NOTHING
    return _one_or_both(match["side"], clause, clause.degrees, clause.degrees)


def _one_or_both(only: str | None, clause: Clause, right: float, left: float) -> Meanings:
    return NOTHING if clause.times is not None else timed(clause, _of(only, right, left), "set_antennas")


def _of(only: str | None, right: float, left: float) -> dict[str, float]:
    angles = {"right_deg": right, "left_deg": left}
    return angles if only is None else {f"{only}_deg": angles[f"{only}_deg"]}


_VALUE = r"(?:(?:to|at) )?(?P<{0}>" + NUMBER + r")(?: degrees)?"
_PAIR = re.compile(
    r"(?:(?:set|put|move|turn) )?(?:the |your )?(?P<side>left|right) (?:antenna|ear)(?: (?:goes|should go))? "
    + _VALUE.format("first")
    + r" (?:and )?(?:the |your )?(?:other|left|right)(?: 1| one| antenna| ear)?(?: (?:goes|should go))? "
    + _VALUE.format("second")
)


_ONE_WAY = r"(?:(?:straight|all the way) )?(?P<{0}>up|upright|down)"
_WAY_PAIR = re.compile(
    r"(?:(?:put|move|turn|point) )?(?:the |your )?(?P<side>left|right) (?:antenna|ear) "
    + _ONE_WAY.format("first")
    + r" (?:and |but )?(?:the |your )?(?:other|left|right)(?: 1| antenna| ear)? "
    + _ONE_WAY.format("second")
)
_VERB_PAIR = re.compile(
    r"(?P<first>raise|lift|lower|drop) (?:the |your )?(?P<side>left|right) (?:antenna|ear) (?:and |but )?"
    r"(?P<second>raise|lift|lower|drop) (?:the |your )?(?:other|left|right)(?: 1| antenna| ear)?"
)


def angle_pair(sentence: str) -> Meanings:
    """Parses a sentence that has an angle for each antenna. The sentence must not be split into clauses."""
    match = _PAIR.fullmatch(sentence) or _WAY_PAIR.fullmatch(sentence) or _VERB_PAIR.fullmatch(sentence)
    if match is None:
        return NOTHING
    first_side = 1.0 if match["side"] == "left" else -1.0
    first, second = _pair_angle(match["first"], first_side), _pair_angle(match["second"], -first_side)
    right, left = (second, first) if match["side"] == "left" else (first, second)
    return command(call("set_antennas", right_deg=right, left_deg=left))


def _pair_angle(value: str, outwards: float) -> float:
    if value in ("up", "upright", "raise", "lift"):
        return 0.0
    return outwards * DROOP_DEG[Size.NORMAL] if value in ("down", "lower", "drop") else float(value)


_ANTENNA_RULES = (
    PhraseRule(rf"(?:raise|lift|perk|straighten|{_PUT})(?: up)? {_ANTENNAS}(?: {_UP})", _up),
    PhraseRule(rf"(?:raise|lift|perk up|straighten|put up|stick up) {_ANTENNAS}", _up),
    PhraseRule(rf"{_ANTENNAS} {_UP}", _up),
    PhraseRule(rf"(?:lower|drop|droop|{_PUT})(?: down)? {_ANTENNAS} {_DOWN}", _down),
    PhraseRule(rf"(?:lower|drop|droop|put down|fold down) {_ANTENNAS}", _down),
    PhraseRule(rf"(?:let {_ANTENNAS} (?:droop|hang)(?: down)?)", _down),
    PhraseRule(rf"{_ANTENNAS} {_DOWN}", _down),
    PhraseRule(rf"(?:(?:raise|lift|lower|{_PUT}|rotate|tilt) )?{_ANTENNAS}", _angle),
    PhraseRule(
        rf"(?:wiggle|wave|wag|flap|shake|twitch|flick|waggle) {_ANTENNAS}",
        lambda match, clause: wiggle(clause, match["side"]),
    ),
)


BODY_YAW_DEG = {Size.LITTLE: 20.0, Size.NORMAL: 45.0, Size.FAR: 90.0}
"""Angle of a body turn, degrees."""

BEHIND_DEG = 160.0
"""Angle for "turn around", degrees: the largest angle that the body can reach."""

_BODY = r"(?:(?:your|the) )?(?:(?:whole|entire) )?(?:body|torso|base|trunk|yourself)"
_VERB = r"(?:turn|rotate|twist|spin|swivel|pivot|swing)"
_SIDE = r"(?:(?:to|towards?|over|on|the|your|around|round) )*(?P<side>left|right)(?: hand)?(?: side)?"


def _turn_body(match: re.Match[str], clause: Clause) -> Meanings:
    if not clause.can_turn:
        return NOTHING
    return timed(clause, {"yaw_deg": side(match["side"]) * clause.amount(BODY_YAW_DEG)}, "rotate_body")


def _to_angle(match: re.Match[str], clause: Clause) -> Meanings:
    """Parses a turn of the body without a side. If the angle is positive, the axis must be named."""
    degrees = clause.degrees if match["bare"] is None else float(match["bare"])
    if degrees is None or clause.times is not None or (degrees > 0.0 and match["axis"] is None):
        return NOTHING
    return timed(clause, {"yaw_deg": degrees}, "rotate_body")


def _head_or_body(match: re.Match[str], clause: Clause) -> Meanings:
    head = head_angles((match["side"],), clause)
    if head is None or clause.times is not None:
        return NOTHING
    return [[call("move_head", **head, duration_s=clause.duration)], *_turn_body(match, clause)]


def _without_side(_match: re.Match[str], clause: Clause) -> Meanings:
    """Parses a turn without a side ("turn 90 degrees"): to the left or right. Above `BEHIND_DEG`, only to the left."""
    if clause.degrees is None or clause.degrees <= 0.0 or clause.times is not None:
        return NOTHING
    left, right = (timed(clause, {"yaw_deg": sign * clause.degrees}, "rotate_body") for sign in (1.0, -1.0))
    return left if clause.degrees > BEHIND_DEG else [*left, *right]


def _straight(_match: re.Match[str], clause: Clause) -> Meanings:
    return _to(clause, 0.0)


def _to(clause: Clause, yaw_deg: float) -> Meanings:
    if clause.degrees or clause.times is not None:
        return NOTHING
    return timed(clause, {"yaw_deg": yaw_deg}, "rotate_body")


_BODY_RULES = (
    PhraseRule(rf"(?:{_VERB}|move) {_BODY} {_SIDE}", _turn_body),
    PhraseRule(rf"{_BODY} {_SIDE}", _turn_body),
    PhraseRule(
        rf"(?:(?:{_VERB}|move|set|put) )?{_BODY}(?: rotation)?(?P<axis> yaw)?(?: angle)?(?: (?P<bare>{NUMBER}))?",
        _to_angle,
    ),
    PhraseRule(
        rf"(?:{_VERB} {_BODY}|{_VERB})(?: (?:right|all the way|completely))? (?:around|round)|(?:about|u) turn|"
        rf"(?:do|make) an? (?:about (?:face|turn)|u turn)|(?:look|face) behind(?: you| yourself)?|"
        rf"(?:turn|show)(?: me| us)? your back(?: (?:to|towards?|on) (?:me|us))?|face the other (?:way|direction)",
        lambda _match, clause: _to(clause, BEHIND_DEG),
    ),
    PhraseRule(rf"(?:(?:{_VERB}|move|return) )?{_BODY} {CENTER}|(?:center|straighten|reset) {_BODY}", _straight),
    PhraseRule(rf"(?:{_VERB}|go) {_SIDE}", _head_or_body),
    PhraseRule(rf"{_VERB}(?: {_BODY})?(?: (?:around|round))?", _without_side),
)

RULES = (*_ANTENNA_RULES, *_BODY_RULES)
"""Applied in order."""

BARE_CENTER = PhraseRule(CENTER, _straight)
"""The direction "straight ahead" alone, which continues a turn of the body."""

BARE_SIDE = PhraseRule(_SIDE, _turn_body)
"""A side alone, which continues a turn of the body."""
