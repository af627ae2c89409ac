"""Directions (left, right, up, down, straight ahead): the words for them, and the head angles."""

from __future__ import annotations

from collections.abc import Iterable

from reachy_agent_ros.nlu.clause import Clause, Size

YAW_DEG = {Size.LITTLE: 15.0, Size.NORMAL: 30.0, Size.FAR: 60.0}
"""Head yaw of a look to the side, degrees. The neck alone reaches 65."""

TILT_DEG = {Size.LITTLE: 10.0, Size.NORMAL: 20.0, Size.FAR: 35.0}
"""Head pitch of a look up or down, and roll of a tilt, degrees. The envelope ends at 40."""

_ALIASES_OF = {
    "left": "left leftward leftwards lefthand anticlockwise counterclockwise",
    "right": "right rightward rightwards righthand clockwise",
    "up": "up upward upwards upper top ceiling sky above skyward skywards heavens stars roof overhead clouds higher",
    "down": "down downward downwards lower bottom floor ground below feet toes shoes carpet rug",
}
ALIASES = {alias: way for way, aliases in _ALIASES_OF.items() for alias in aliases.split()}
"""Direction that each word stands for."""

_ONE = "|".join(ALIASES)
_LINK = r"(?:(?:to|towards?|over|at|on|the|your|its|directly|straight|and|back) )*"

DIRECTION = (
    rf"{_LINK}(?P<first>{_ONE})(?: hand)?(?: {_LINK}(?P<second>{_ONE}))?(?: (?:side|corner|direction|shoulder))?"
)
"""Pattern of one direction or a diagonal, with groups `first` and `second`."""

CENTER = (
    r"(?:(?:back|to|at|towards?|in|into|the|your|a) )*(?:straight(?: ahead| forwards?| on)?|ahead|forwards?|"
    r"front(?: of you)?|center(?: position)?|middle|neutral(?: position| pose)?|home(?: position)?|0|normal(?: "
    r"position)?)"
)
"""Pattern of straight ahead."""


def side(word: str) -> int:
    """Returns +1 for left, -1 for right, 0 for anything else. Yaw is positive to the left."""
    return {"left": 1, "right": -1}.get(ALIASES.get(word, ""), 0)


def head_angles(words: Iterable[str | None], clause: Clause) -> dict[str, float] | None:
    """Combines directions into `move_head` arguments. Returns None for "up down" and for "-20 degrees left"."""
    angles: dict[str, float] = {}
    for word in filter(None, words):
        axis, angle = _angle(ALIASES[word], clause)
        if axis in angles:
            return None
        angles[axis] = angle
    return None if clause.degrees is not None and clause.degrees < 0 else angles


def _angle(direction: str, clause: Clause) -> tuple[str, float]:
    if direction in ("left", "right"):
        return "yaw_deg", side(direction) * clause.amount(YAW_DEG)
    size = clause.amount(TILT_DEG)
    return "pitch_deg", size if direction == "down" else -size
