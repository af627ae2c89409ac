"""Guessing how hard a request is before any model has read it, to choose between a quick and a deep model."""

from __future__ import annotations

import re

HARD = 0.5
"""Difficulty from which a request goes to the deep model."""

_SIGNS = (
    (0.5, re.compile(r"\b(?:why|explain|compare|prove|derive|summari[sz]e|analy[sz]e|plan|design|debug)\b")),
    (0.5, re.compile(r"\b(?:code|program|function|script|algorithm|equation|regex)\b|```|\bdef \w+\(")),
    (0.3, re.compile(r"\bstep by step\b|\bin detail\b|\bthink (?:hard|carefully)\b|\bpros and cons\b")),
    (0.25, re.compile(r"\b(?:if|unless|until|while|whenever|otherwise|except|depending)\b")),
    (0.25, re.compile(r"\d+(?:\.\d+)?\s*(?:[-+*/^%]|plus|minus|times|divided by|percent of)\s*\d+")),
)
_ANOTHER_STEP = re.compile(r"\b(?:then|after that|afterwards|finally|next)\b|;")
_STEP = 0.2
_WORDS_OF_A_HARD_REQUEST = 80


def difficulty(text: str) -> float:
    """Estimates how hard a request is.

    Signs add up: a word that asks for reasons or for code is worth 0.5, a wish for detail 0.3, a condition or a sum
    0.25 each, every further step ("then") 0.2, and the length one for 80 words. It reads English; in any other
    language only the length counts, so most requests stay with the quick model, which is the cheaper mistake.

    Args:
        text: What the person said.

    Returns:
        0 (a greeting) to 1; from `HARD` on it is for the deep model.
    """
    lowered = text.lower()
    signs = sum(weight for weight, sign in _SIGNS if sign.search(lowered))
    steps = _STEP * len(_ANOTHER_STEP.findall(lowered))
    length = len(lowered.split()) / _WORDS_OF_A_HARD_REQUEST
    return min(1.0, signs + steps + length)
