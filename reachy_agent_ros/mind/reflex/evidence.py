"""Words that decide between meanings which embeddings hardly tell apart: up or down, on or off, yes or no."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DOWN = re.compile(
    r"\b(?:down\w*|lower\w*|droop\w*|drop\w*|fold\w*|flat\w*|hang\w*|limp|sink|tuck\w*|relax\w*|fall|slump\w*|lay|back)\b"
)
_UP = re.compile(
    r"\b(?:up\w*|rais\w*|lift\w*|perk\w*|prick\w*|high\w*|straight\w*|stand\w*|stick|hoist|extend\w*|erect|tall|sky|"
    r"ceiling|attention|neutral|center|zero|0|reset|vertical\w*)\b"
)
_SHAKEN = re.compile(
    r"\b(?:wiggl\w*|waggl\w*|shak\w*|twitch\w*|flap\w*|flick\w*|wag\w*|wav\w*|jiggl\w*|danc\w*|play|swing\w*|about|around|"
    r"back and forth|to and fro|wobbl\w*|flutter\w*|say hi|hello)\b"
)
_ENDS = re.compile(
    r"\b(?:stop\w*|quit\w*|no|not|off|disabl\w*|deactivat\w*|end|cease|cancel|leave|let go|lose|finish|done|enough)\b"
)
_YES = re.compile(r"\b(?:yes|agree\w*|approv\w*|affirm\w*|nod\w*)\b")
_NO = re.compile(r"\b(?:no|disagree\w*|disapprov\w*|negative)\b")
_NEVER = re.compile(r"(?!)")
_ALWAYS = re.compile("")

_WORDS: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "raise your {antenna}": (_UP, re.compile(f"{_DOWN.pattern}(?<!back)|{_SHAKEN.pattern}(?<!around)")),
    "lower your {antenna}": (_DOWN, re.compile(f"{_UP.pattern}|{_SHAKEN.pattern}")),
    "wiggle your {antenna}": (_SHAKEN, _NEVER),
    "follow me": (_ALWAYS, _ENDS),
    "stop following me": (_ENDS, _NEVER),
    "nod": (_ALWAYS, _NO),
    "shake your head": (_ALWAYS, _YES),
}


def agrees(plain: str, phrase: str) -> bool:
    """Whether a phrase has the words that a plain command needs, and none that contradict it."""
    needed, denied = _WORDS.get(plain, (_ALWAYS, _NEVER))
    return needed.search(phrase) is not None and denied.search(phrase) is None
