"""Looking at a point in space, and at a pixel of the last picture."""

from __future__ import annotations

import re

from reachy_agent_ros.nlu.amount import NUMBER
from reachy_agent_ros.nlu.rule import NOTHING, Meanings, call, command

EYES_M = 0.23
"""Height of the robot's eyes above its foot: where it looks if no height is given."""

_LOOK = (
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
_AXES = rf"x{_EQUALS} (?P<x>{_LENGTH}) (?:and )?y{_EQUALS} (?P<y>{_LENGTH}) (?:and )?z{_EQUALS} (?P<z>{_LENGTH})"
_BARE = rf"(?P<x>{_LENGTH}) (?:by )?(?P<y>{_LENGTH}) (?:and |by )?(?P<z>{_LENGTH})"
_COORDINATES = (
    re.compile(rf"{_LOOK} (?:{_POINT} )?(?:at )?{_AXES}"),
    re.compile(rf"{_LOOK} (?:{_POINT} )?(?:at )?{_BARE}"),
)

_AHEAD = r"(?:ahead|in front|forwards?|away|straight ahead|out)(?: of (?:you|yourself))?"
_SIDE = r"(?:to (?:the|your) |on (?:the|your) )?(?P<side>left|right)"
_UP = r"(?P<way>up|high|above the (?:ground|table|floor)|above(?: it)?|over the (?:ground|table)|down|below the table)"
_MEASURED = re.compile(
    rf"(?:look|{_LOOK})(?: {_POINT})?(?: that is)? (?P<x>{_LENGTH}) {_AHEAD}"
    rf"(?: (?:and )?(?P<y>{_LENGTH}) {_SIDE})?"
    rf"(?: (?:and )?(?:(?P<z>{_LENGTH}) {_UP}|at (?:a|the) height of (?P<height>{_LENGTH})))?"
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
    *(re.compile(rf"{_LOOK} {_AT}{_PIXEL}(?: (?:at|with))? {pair}{_OF_PICTURE}?") for pair in (_PAIR, *_NAMED_PAIR)),
    *(re.compile(rf"{_LOOK} {_AT}(?:{_PLACE} )?(?:at )?{pair}{_OF_PICTURE}") for pair in (_PAIR, *_NAMED_PAIR)),
    re.compile(rf"{_LOOK} {_AT}(?:the )?column (?P<u>\d+) (?:and )?row (?P<v>\d+)"),
)


def target(sentence: str) -> Meanings:
    """What a clause without its commas looks at, if that is a pixel or a point: "look at x 1 y 0.2 z 0.3"."""
    for pattern in _IN_IMAGE:
        if match := pattern.fullmatch(sentence):
            return command(call("look_at_image", u=float(match["u"]), v=float(match["v"])))
    for pattern in _COORDINATES:
        if match := pattern.fullmatch(sentence):
            return _look_at(*(_metres(match[axis]) for axis in ("x", "y", "z")))
    match = _MEASURED.fullmatch(sentence)
    if match is None or not (match["y"] or match["z"] or match["height"]):
        return NOTHING
    y = 0.0 if match["y"] is None else _metres(match["y"]) * (1.0 if match["side"] == "left" else -1.0)
    height = match["z"] or match["height"]
    z = EYES_M if height is None else _metres(height)
    return _look_at(_metres(match["x"]), y, -z if match["way"] in ("down", "below the table") else z)


def _look_at(x: float, y: float, z: float) -> Meanings:
    return command(call("look_at", x_m=x, y_m=y, z_m=z))


def _metres(length: str) -> float:
    value, _, unit = length.partition(" ")
    if not value[-1].isdigit():
        return 0.5 if value == "half" else 1.0
    scale = 1000.0 if unit.startswith(("mm", "milli")) else 100.0 if unit.startswith("c") else 1.0
    return round(float(value) / scale, 6)
