"""Words that decide between meanings which embeddings hardly tell apart: up or down, on or off, yes or no."""

from __future__ import annotations

import re
from collections.abc import Mapping

_DOWN = re.compile(
    r"\b(?:down\w*|lower\w*|droop\w*|drop\w*|fold\w*|flat\w*|hang\w*|dip\w*|sag\w*|bend\w*|limp|sink|tuck\w*|"
    r"relax\w*|fall|slump\w*|lay|back)\b"
)
_UP = re.compile(
    r"\b(?:up\w*|rais\w*|lift\w*|perk\w*|prick\w*|high\w*|straight\w*|stand\w*|stick|hoist|extend\w*|erect|tall|sky|"
    r"ceiling|attention|neutral|center|zero|0|reset|vertical\w*)\b"
)
_SHAKEN = re.compile(
    r"\b(?:wiggl\w*|waggl\w*|shak\w*|twitch\w*|flap\w*|flick\w*|wag\w*|wav\w*|jiggl\w*|danc\w*|play|swing\w*|about|"
    r"around|"
    r"back and forth|to and fro|wobbl\w*|flutter\w*|say hi|hello)\b"
)
_ENDS = re.compile(
    r"\b(?:stop\w*|quit\w*|no|not|off|disabl\w*|deactivat\w*|end|cease|cancel|leave|let go|lose|finish|done|enough)\b"
)
_YES = re.compile(r"\b(?:yes|agree\w*|approv\w*|affirm\w*|nod\w*)\b")
_NO = re.compile(r"\b(?:no|disagree\w*|disapprov\w*|negative)\b")
_STRAIGHT = re.compile(
    r"\b(?:straight\w*|ahead|front|forwards?|center|neutral|middle|normal|level|home|start\w*|zero|0|reset|square)\b"
)
_NEVER = re.compile(r"(?!)")
_ALWAYS = re.compile("")

_WORDS: Mapping[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "raise your {antenna}": (_UP, re.compile(f"{_DOWN.pattern}(?<!back)|{_SHAKEN.pattern}(?<!around)")),
    "lower your {antenna}": (_DOWN, re.compile(f"{_UP.pattern}|{_SHAKEN.pattern}")),
    "wiggle your {antenna}": (_SHAKEN, _NEVER),
    "dance": (re.compile(r"danc|boogie|groov|\bmoves\b|\bmove\b|jig\b|twirl|rock out|shapes|party|booty"), _NEVER),
    "find the {thing}": (
        re.compile(
            r"find|where|look\w* (?:around )?(?:for|until)|search|see|locat|spot|hunt|track|lost|seek|scan|disc|point"
        ),
        re.compile(r"\b(?:buy|sell|rent|order|cost|price|recipe)\w*\b"),
    ),
    "follow me": (
        re.compile(
            r"(?=.*\b(?:me|my|i|us|face|faces|tracking|contact|mode|person|people)\b)"
            r".*(?:follow|track|watch|eyes?\b|look|gaz|facing|stay|lock|contact|face)"
        ),
        re.compile(rf"{_ENDS.pattern}|\baway\b"),
    ),
    "go to sleep": (
        re.compile(
            r"sleep|nap\b|bed|snooz|doz|rest\b|shut eye|nod off|sack|hay\b|night|standby|power down|lie down|slumber"
        ),
        _NEVER,
    ),
    "look around": (
        re.compile(
            r"around|every|surround|room|area|environ|all over|both|sides?\b|left and|right and|about|bearings|scan"
        ),
        _NEVER,
    ),
    "look straight ahead": (_STRAIGHT, _NEVER),
    "take a photo": (
        re.compile(r"photo|pictur|\bpics?\b|shots?\b|imag|snap|your camera to|captur|selfie|\bstill\b|click"),
        _NEVER,
    ),
    "tilt your head": (re.compile(r"tilt|cock|lean|tip|one side|sideways|\bside\b"), _NEVER),
    "tilt your head to the {side}": (
        re.compile(r"tilt|cock|lean|tip|bend|roll|slant|inclin|\bears?\b|shoulder"),
        _NEVER,
    ),
    "turn around": (re.compile(r"around|behind|back|180|1 80|opposite|other|about"), _NEVER),
    "turn your {body} straight ahead": (_STRAIGHT, _NEVER),
    "detect objects": (re.compile(r"object|thing|item|detect|recogni|everything|list what"), _NEVER),
    "what do you see": (_ALWAYS, re.compile(r"\b(?:in|about) (?:him|her|me|us|them|it|this)\b|yourself|years|future")),
    "what is your status": (
        re.compile(
            r"status|pose|posture|position|angle|joint|state\b|orient|direction|facing|point|turned|motor|moving|"
            r"connected|system|check|where|doing|report"
        ),
        _NEVER,
    ),
    "wake up": (
        re.compile(r"wak|get up|rise|rous|up and at|slumber|nap\b|sleep|bed|alive|life|snap out|morning"),
        _NEVER,
    ),
    "stop following me": (_ENDS, _NEVER),
    "nod": (re.compile(r"\bnod|bob\b|yes|agree|approv|affirm|up and down|acknowledg|understand"), _NO),
    "shake your head": (re.compile(r"shak|\bno\b|disagree|side to side|wag|refus"), _YES),
}


def agrees(plain: str, phrase: str) -> bool:
    """Whether a phrase has the words that a plain command needs, and none that contradict it."""
    needed, denied = _WORDS.get(plain, (_ALWAYS, _NEVER))
    return needed.search(phrase) is not None and denied.search(phrase) is None
