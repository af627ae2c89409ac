"""Recognition of sentences that are addressed to others than the robot: "Alexa, set a timer", "Mum, look at me!"."""

from __future__ import annotations

import re

_ASSISTANTS = r"(?:alexa|siri|google|cortana|bixby|gemini)"
_FAMILY = (
    r"(?:mum|mummy|mom|mommy|mama|dad|daddy|papa|grann?y|grandma|gran|nan|nana|grandad|granddad|grandpa|auntie|kids|"
    r"children|boys|girls|ladies|gentlemen|doctor|nurse|waiter|officer|ref)"
)
_OTHERS = re.compile(
    rf"\W*(?:(?:hey|ok|okay|oi|hi|hello) )?(?:{_ASSISTANTS}\b|{_FAMILY} ?[,!:]).*|.*[,!] ?(?:{_ASSISTANTS}|"
    rf"{_FAMILY})\W*",
    re.IGNORECASE | re.DOTALL,
)


def addresses_others(text: str) -> bool:
    """Returns whether a sentence names another assistant or a member of the family as the listener."""
    return _OTHERS.fullmatch(text) is not None
