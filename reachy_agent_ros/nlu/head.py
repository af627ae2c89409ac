"""Rules for head motions: directions, angles for each axis, shifts, and points or pixels to look at."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.clause import NOTHING, NUMBER, Clause, Meanings, PhraseRule, Size, call, command, timed
from reachy_agent_ros.nlu.direction import ALIASES, CENTER, DIRECTION, TILT_DEG, YAW_DEG, head_angles, side

LOOK = r"(?:look|glance|gaze|peek|face|stare)"
HEAD = r"(?:(?:your|the) )?(?:head|face|gaze|eyes|neck|chin)"
_TURN = r"(?:turn|move|rotate|swivel|swing|point|bring|direct|pan|put|aim)"
_SUBJECT = rf"(?:{LOOK}|{_TURN} {HEAD}|{HEAD})"
_AXIS_WAY = r"(?:left|right|up|down|upwards?|downwards?|clockwise|anticlockwise|counterclockwise)"
_AXIS = (
    rf"(?P<axis>roll|pitch|yaw)(?: {HEAD})?(?: angle)?(?: (?:of|to|at|by|is))*(?: (?P<before>{_AXIS_WAY}))?(?: by)?"
    rf" (?P<angle>{NUMBER})(?: degrees)?(?: (?:to (?:the |your )?)?(?P<after>{_AXIS_WAY}))?"
)
_ONE_AXIS = re.compile(_AXIS)
_PLAIN_AXIS = re.sub(r"\?P<\w+>", "?:", _AXIS)
_AXES = (
    rf"(?:(?:set|move|turn|rotate|put|tilt) )?(?:{HEAD} )?(?:(?:to|at|with|a|the) )*{_PLAIN_AXIS}(?: {_PLAIN_AXIS})*"
)
_POSITIVE = {"yaw": "left", "pitch": "down", "roll": "right"}
"""Direction of a positive angle about each axis."""

_SHIFT_WAYS = {
    **dict.fromkeys(("forward", "forwards"), ("x_mm", 1.0)),
    **dict.fromkeys(("back", "backward", "backwards"), ("x_mm", -1.0)),
    "left": ("y_mm", 1.0),
    "right": ("y_mm", -1.0),
    **dict.fromkeys(("up", "upwards", "raise", "lift"), ("z_mm", 1.0)),
    **dict.fromkeys(("down", "downwards", "lower", "drop"), ("z_mm", -1.0)),
}
_SHIFT_WAY = r"(?: (?:to the )?(?P<{0}>forwards?|back(?:wards?)?|left|right|up(?:wards)?|down(?:wards)?))?"
_SHIFT = re.compile(
    rf"(?P<verb>move|shift|slide|push|pull|bring|raise|lift|lower|drop) {HEAD}{_SHIFT_WAY.format('before')}(?: by)? "
    rf"(?P<size>\d+(?:\.\d+)?) (?P<unit>mm|cm|millimet(?:er|re)s?|centimet(?:er|re)s?){_SHIFT_WAY.format('after')}"
)

NEUTRAL = {"roll_deg": 0.0, "pitch_deg": 0.0, "yaw_deg": 0.0}


def _shift(match: re.Match[str], clause: Clause) -> Meanings:
    return _towards(clause, match["first"], match["second"])


def _towards(clause: Clause, *words: str | None) -> Meanings:
    return timed(clause, head_angles(words, clause)) if clause.times is None else NOTHING


def _straight(_match: re.Match[str], clause: Clause) -> Meanings:
    return timed(clause, NEUTRAL) if not clause.degrees and clause.times is None else NOTHING


def _tilt(match: re.Match[str], clause: Clause) -> Meanings:
    return timed(clause, {"roll_deg": -side(match["side"]) * clause.amount(TILT_DEG)}) if clause.can_turn else NOTHING


def _about_axis(match: re.Match[str], clause: Clause) -> Meanings:
    return NOTHING if clause.degrees is None else timed(clause, {f"{match['axis']}_deg": clause.degrees})


def _which_way(_match: re.Match[str], clause: Clause) -> Meanings:
    """Returns turns of the head in all directions, which leads to a clarifying question, if the clause names none."""
    if not clause.can_turn:
        return NOTHING
    ways = (head_angles((word,), clause) for word in ("left", "right", "up", "down"))
    return [[call("move_head", **way, duration_s=clause.duration)] for way in ways if way is not None]


def explicit_shift(clause: Clause) -> Meanings:
    """Parses a shift of the head in millimeters or centimeters: "move your head forward by 2 cm"."""
    match = _SHIFT.fullmatch(clause.text)
    if match is None:
        return NOTHING
    way = _SHIFT_WAYS.get(match["before"] or match["after"] or match["verb"])
    if way is None:
        return NOTHING
    axis, sign = way
    size = float(match["size"]) * (10.0 if match["unit"].startswith("c") else 1.0)
    return command(call("move_head", **{axis: sign * size}))


def explicit_angles(clause: Clause) -> Meanings:
    """Parses an angle in degrees for each axis of the head: "head yaw 20 pitch -10", "yaw 20 left"."""
    if re.fullmatch(_AXES, clause.text) is None:
        return NOTHING
    angles: dict[str, float] = {}
    for match in _ONE_AXIS.finditer(clause.text):
        way = ALIASES.get(match["before"] or match["after"] or "", _POSITIVE[match["axis"]])
        if (way in ("up", "down")) != (match["axis"] == "pitch"):
            return NOTHING
        angles[f"{match['axis']}_deg"] = float(match["angle"]) * (1.0 if way == _POSITIVE[match["axis"]] else -1.0)
    return timed(clause, angles)


RULES = (
    PhraseRule(rf"{_SUBJECT} {DIRECTION}", _shift),
    PhraseRule(
        rf"{_SUBJECT} {CENTER}|center {HEAD}|(?:reset|straighten)(?: up| out)? {HEAD}|"
        rf"(?:return|level(?: out)?) {HEAD}(?: {CENTER})?|return {CENTER}|(?:go|come) {CENTER}|"
        rf"(?:(?:turn|move|bring|put) )?{HEAD} (?:up )?(?:back|straight|upright|level)|neutral (?:position|pose)",
        _straight,
    ),
    PhraseRule(
        r"(?:(?:put|bring|lower) )?(?:your )?(?P<side>left|right) ear (?:to|on|onto|towards?) (?:your|the) "
        r"(?:(?:left|right|same) )?shoulder",
        _tilt,
    ),
    PhraseRule(
        rf"(?:tilt|cock|lean|roll|tip|bend|incline) (?:{HEAD} )?(?:(?:to|towards?|over|on|the|your) )*"
        r"(?P<side>left|right)(?: hand)?(?: side| shoulder)?",
        _tilt,
    ),
    PhraseRule(
        rf"(?:raise|lift)(?: up)? {HEAD}(?: up)?|chin up|(?:tilt|tip|lean) {HEAD} (?:up|back)\w*|(?:nose|chin) up",
        lambda _match, clause: _towards(clause, "up"),
    ),
    PhraseRule(
        rf"(?:lower|drop|bow|duck)(?: down)? {HEAD}(?: down)?|(?:tilt|tip|lean) {HEAD} (?:down|forward)\w*|"
        r"(?:nose|chin) (?:down|to (?:the|your) (?:chest|floor))|(?:take a )?bow(?: down)?",
        lambda _match, clause: _towards(clause, "down"),
    ),
    PhraseRule(rf"(?P<axis>roll|pitch|yaw) {HEAD}", _about_axis),
    PhraseRule(rf"(?:move|turn|rotate) {HEAD}", _which_way),
)
"""Applied in order."""

BARE_DIRECTION = PhraseRule(DIRECTION, _shift)
"""A direction alone, which continues the clause before it: "look up and left"."""

BARE_CENTER = PhraseRule(CENTER, _straight)
"""The direction "straight ahead" alone, which continues the clause before it."""

_IS_ON = re.compile(
    r"(?:there (?:is|are)|(?:somebody|someone|something|everyone|everybody|i|my|our|your|the) (?!.*\b(?:not|said|"
    r"says)\b)).* "
    r"(?:to|on|at|from) (?:your|the) (?P<side>left|right)(?: side| hand side)? (?:(?:so|please|can you|could you|"
    r"and) )*(?:(?:look|turn your head)(?: (?:at (?:him|her|them|it|that|me|us)|here|over(?: (?:here|there))?|there|"
    r"(?:to|towards?) (?:it|him|her|them|me|us)))?|(?:take|have) a look|turn to (?:him|her|them|me|it))"
)


def where_somebody_is(sentence: str) -> Meanings:
    """Parses a command to look at a person whose side is stated first: "my brother is on your right, look at him"."""
    match = _IS_ON.fullmatch(sentence)
    return NOTHING if match is None else command(call("move_head", yaw_deg=side(match["side"]) * YAW_DEG[Size.NORMAL]))


_DIAGONAL = PhraseRule(rf"{_SUBJECT} {DIRECTION}", _shift)


def diagonal(clause: Clause) -> Meanings:
    """Parses a diagonal direction with one amount for both words: "look up and right a bit"."""
    return _DIAGONAL(clause) if clause.size is not Size.NORMAL else NOTHING


EYES_M = 0.23
"""Height of the robot's eyes above its foot, m. Used for a target without a height."""

_LOOK_AT = (
    r"(?:(?:look|gaze|stare|glance|peer) (?:at|to|towards?)|face|center(?: your (?:head|gaze|view|camera))? (?:on|at)|"
    r"focus on|(?:turn|point|direct|move|aim|bring|orient)(?: (?:your|the) (?:head|gaze|eyes|face|camera|view))? "
    r"(?:at|to|towards?|on))"
)
_UNIT = r"(?:m|met(?:er|re)s?|cm|centimet(?:er|re)s?|mm|millimet(?:er|re)s?)"
_EQUALS = r"(?: (?:equals|equal to|is|of|at|to))?"
_LENGTH = rf"(?:half a met(?:er|re)|a met(?:er|re)|{NUMBER}(?: {_UNIT})?)"
_POINT = (
    r"(?:(?:a|the|that) )?(?:(?:3d|space|spatial) )?"
    r"(?:(?:point|position|spot|coordinates?|location|place)(?: (?:in space|in front of you|with(?: the)? coordinates?|"
    r"at(?: the)? coordinates?|of|at|with))?)"
)
_COORDINATE_AXES = (
    rf"x{_EQUALS} (?P<x>{_LENGTH}) (?:and )?y{_EQUALS} (?P<y>{_LENGTH}) (?:and )?z{_EQUALS} (?P<z>{_LENGTH})"
)
_BARE = rf"(?P<x>{_LENGTH}) (?:by )?(?P<y>{_LENGTH}) (?:and |by )?(?P<z>{_LENGTH})"
_COORDINATES = (
    re.compile(rf"{_LOOK_AT} (?:{_POINT} )?(?:at )?{_COORDINATE_AXES}"),
    re.compile(rf"{_LOOK_AT} (?:{_POINT} )?(?:at )?{_BARE}"),
)

_AHEAD = r"(?:ahead|in front|forwards?|away|straight ahead|out)(?: of (?:you|yourself))?"
_POINT_SIDE = r"(?:to (?:the|your) |on (?:the|your) )?(?P<side>left|right)"
_POINT_HEIGHT = (
    r"(?P<way>up|high|above the (?:ground|table|floor)|above(?: it)?|over the (?:ground|table)|down|below the table)"
)
_MEASURED = re.compile(
    rf"(?:look|{_LOOK_AT})(?: {_POINT})?(?: that is)? (?P<x>{_LENGTH}) {_AHEAD}(?: (?:and )?(?P<y>{_LENGTH}) "
    rf"{_POINT_SIDE})?(?: (?:and )?(?:(?P<z>{_LENGTH}) {_POINT_HEIGHT}|at (?:a|the) height of (?P<height>{_LENGTH})))?"
)

_OF_PICTURE = (
    r"(?: (?:of|in|on|from) (?:the|your|that) (?:last |latest |previous |current )?"
    r"(?:picture|photo|image|snapshot|frame|camera image))"
)
_PIXELS = r"(?: pixels?)?"
_PAIR = rf"(?P<u>\d+){_PIXELS}(?: (?:and|by|x))? (?P<v>\d+){_PIXELS}"
_NAMED_PAIR = (
    rf"(?:u|x|column){_EQUALS} (?P<u>\d+) (?:and )?(?:at )?(?:v|y|row){_EQUALS} (?P<v>\d+)",
    rf"(?:v|y|row){_EQUALS} (?P<v>\d+) (?:and )?(?:at )?(?:u|x|column){_EQUALS} (?P<u>\d+)",
)
_AT = r"(?:(?:what|whatever|the thing) (?:is|you see) (?:at|on|under|shown at) )?"
_PIXEL = (
    r"(?:the )?(?:image )?(?:pixels?|image point|image position|image coordinates?|pixel position|pixel coordinates?)"
)
_PLACE = r"(?:the )?(?:point|position|spot|place|coordinates?)"
_IN_IMAGE = (
    *(re.compile(rf"{_LOOK_AT} {_AT}{_PIXEL}(?: (?:at|with))? {pair}{_OF_PICTURE}?") for pair in (_PAIR, *_NAMED_PAIR)),
    *(re.compile(rf"{_LOOK_AT} {_AT}(?:{_PLACE} )?(?:at )?{pair}{_OF_PICTURE}") for pair in (_PAIR, *_NAMED_PAIR)),
    re.compile(rf"{_LOOK_AT} {_AT}(?:the )?column (?P<u>\d+) (?:and )?row (?P<v>\d+)"),
)


def target(sentence: str) -> Meanings:
    """Parses a command to look at a pixel or a point, without commas: "look at x 1 y 0.2 z 0.3"."""
    for pattern in _IN_IMAGE:
        if match := pattern.fullmatch(sentence):
            return command(call("look_at_image", u=float(match["u"]), v=float(match["v"])))
    for pattern in _COORDINATES:
        if match := pattern.fullmatch(sentence):
            return _look_at_point(*(_meters(match[axis]) for axis in ("x", "y", "z")))
    match = _MEASURED.fullmatch(sentence)
    if match is None or not (match["y"] or match["z"] or match["height"]):
        return NOTHING
    y = 0.0 if match["y"] is None else _meters(match["y"]) * (1.0 if match["side"] == "left" else -1.0)
    height = match["z"] or match["height"]
    z = EYES_M if height is None else _meters(height)
    return _look_at_point(_meters(match["x"]), y, -z if match["way"] in ("down", "below the table") else z)


def _look_at_point(x: float, y: float, z: float) -> Meanings:
    return command(call("look_at", x_m=x, y_m=y, z_m=z))


def _meters(length: str) -> float:
    value, _, unit = length.partition(" ")
    if not value[-1].isdigit():
        return 0.5 if value == "half" else 1.0
    scale = 1000.0 if unit.startswith(("mm", "milli")) else 100.0 if unit.startswith("c") else 1.0
    return round(float(value) / scale, 6)
