"""Sentences about detected objects, which state the positions and the number of objects."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

NOTHING_SEEN = "I do not see anything that I recognize."

_MOST_NAMED = 5
"""Maximum number of kinds in a sentence: nobody remembers more."""

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_PLURALS = {"person": "people", "mouse": "mice", "knife": "knives", "scissors": "scissors", "sheep": "sheep"}
_COUNTED = re.compile(r"\b(?:how many|count(?: up)?(?: (?:the|all|all the|my))?) (?P<kind>[a-z]+(?: [a-z]+)?)\b")
_ASKED = re.compile(r"^(?:is|are) there (?:a|an|any|some) (?P<kind>[a-z]+(?: [a-z]+)?)\b")
_PEOPLE = re.compile(r"\b(?:anybody|anyone|somebody|someone|people|persons?|humans?|faces?)\b")
_PERSON_LABELS = ("person", "face")
_GENERAL = re.compile(
    r"\b(?:what|who)(?: (?:things?|objects?|items?|else))? (?:do|can|are|is|did) (?:you|there|in|on|this|that|here)\b|"
    r"\bwhat (?:you (?:can )?see|is (?:there|this|that|visible|going on|happening))\b|\b(?:describe|look around)\b|"
    r"\b(?:list|name|detect) (?:the |all )?(?:things|objects|items)\b",
)


def sentence_about(things: Sequence[tuple[str, str]]) -> str:
    """Returns a sentence that lists objects, such as "I see a duck in the middle and two apples on the right.".

    Args:
        things: Label and place of each object, in the order to name them. The place may be empty.
    """
    if not things:
        return NOTHING_SEEN
    counted = Counter(things)
    parts = [f"{counted_noun(label, count)} {place}".strip() for (label, place), count in counted.items()]
    if len(parts) > _MOST_NAMED:
        parts = [*parts[:_MOST_NAMED], "more"]
    *others, last = parts
    return f"I see {', '.join(others) + ' and ' if others else ''}{last}."


def answer_about(question: str, things: Sequence[tuple[str, str]]) -> str:
    """Answers a question about a scene from the detected objects alone, without a vision model.

    Args:
        question: Question in words.
        things: Label and place of each object, see `sentence_about`.
    """
    words = " ".join(re.findall(r"[a-z]+", question.lower()))
    counted, asked = _COUNTED.search(words), _ASKED.search(words)
    seen, labels = sentence_about(things), [label for label, _ in things]
    if _PEOPLE.search(words):
        people = max(labels.count(label) for label in _PERSON_LABELS)
        return f"I see {counted_noun('person', people)}." if people else "I do not see anybody."
    match = counted or asked
    kind = next((label for label in labels if match is not None and _names(match["kind"], label)), None)
    if kind is not None:
        number = counted_noun(kind, labels.count(kind))
        return f"I see one {kind}." if counted and labels.count(kind) == 1 else f"I see {number}."
    if _GENERAL.search(words) or not things:
        return seen
    return f"I do not recognize that. {seen}" if match else f"I cannot tell. {seen}"


def counted_noun(label: str, count: int) -> str:
    """Formats the number of objects with a label, such as "a duck" or "two ducks"."""
    if count == 1:
        return label if label in ("scissors", "glasses") else f"{'an' if label[:1] in tuple('aeiou') else 'a'} {label}"
    return f"{_NUMBERS[count] if count < len(_NUMBERS) else count} {_plural(label)}"


def _names(words: str, label: str) -> bool:
    return any(words == name or words.startswith(f"{name} ") for name in (label, _plural(label)))


def _plural(label: str) -> str:
    ending = "es" if label.endswith(("s", "x", "ch", "sh")) else "s"
    return _PLURALS.get(label, label + ending)
