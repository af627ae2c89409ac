"""What a recogniser writes when it hears the robot's name."""

from __future__ import annotations

import re

ROBOT_NAME = "Reachy"

_ALIASES = (
    r"[bp]?re+a?ch(?:y|ie?|ey|ee)|rich(?:y|ie|ey)|ritch(?:y|ie)|(?:ri|wi)c?k(?:e?y|ie?)|"
    r"[bfg]?re+a?-?k(?:e?y|ie?|e)|rake?y|ree?[df]y|re+p?thy|rei(?:k|ch)i|ricci|peachy|reach[, ]+(?:he|e)"
)
"""Heard for "Reachy" from Whisper tiny.en: it is no English word, so the nearest one or a spelling of the sound."""

_GREETINGS = r"hey|eh|a|hi|hello|oh|so|ok(?:ay)?|yes|no|please|thanks|thank you|good (?:morning|evening|night)|bye"

_AT_START = re.compile(rf"^((?:(?:{_GREETINGS})[,.!]? +)?)(?:{_ALIASES})\b", re.IGNORECASE)
_AT_END = re.compile(rf"((?:,|\b(?:{_GREETINGS})),? +)(?:{_ALIASES})(?=[.!?]*$)", re.IGNORECASE)
_CALL = re.compile(rf"(?:^|[.!?] +)(?:(?:hey|hi|hello|ok(?:ay)?)[,.!]? +)?{ROBOT_NAME}[.,!?]*$", re.IGNORECASE)


def with_robot_name(text: str) -> str:
    """Puts the robot's name where it is called by it: at the start of what was said, or set off at its end.

    Elsewhere the same word is somebody else's name, or no name at all.
    """
    return _AT_END.sub(rf"\g<1>{ROBOT_NAME}", _AT_START.sub(rf"\g<1>{ROBOT_NAME}", text))


def only_calls(text: str) -> bool:
    """Whether the last sentence of a text, which has the robot's name as it is written, is nothing but that name."""
    return _CALL.search(text) is not None
