"""A call by the robot's name, found in what was said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

SHORT = 4
"""Words. In a sentence with fewer before it, as "Look left Reachy", the name calls though no comma was heard."""

_CALLS = r"hey|oh|so|okay|ok|and"
"""Words before the name that mean no more than the name itself."""

_MEANT = r"hello|hi|no|yes|please|thanks|thank you|sorry|good (?:morning|evening|night)|bye|stop|wait"
"""Words before the name that are kept."""

_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


@dataclass(frozen=True)
class Call:
    """A text and whether it calls the robot.

    Attributes:
        named: Whether the name is at the start or the end of one of its sentences.
        text: Without the name; empty where it was nothing else.
    """

    named: bool
    text: str


class RobotName:
    """Finds calls by a name.

    It calls at the start of a sentence, also after a word such as "hey" or "no", and at its end after a comma or few
    words. Elsewhere it is spoken of.

    Args:
        names: The name, and what else the robot is called or heard as.
    """

    def __init__(self, names: Sequence[str]) -> None:
        name = rf"\b(?:{'|'.join(re.escape(one) for one in names)})\b"
        before = rf"(?:(?:{_CALLS})\b[\s,]*)?(?P<kept>(?:{_MEANT})\b)?[\s,]*"
        self._start = re.compile(rf"^{before}{name}[\s,]*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)
        self._end = re.compile(rf"^(?P<rest>.*?)(?P<comma>,?)\s*{name}(?P<stop>[.!?]*)$", re.IGNORECASE | re.DOTALL)

    def find(self, text: str) -> Call:
        """Whether `text` calls the robot, and what is said besides."""
        parts = [self._part(sentence.strip()) for sentence in _SENTENCE.findall(text)]
        if not any(part.named for part in parts):
            return Call(False, text)
        return Call(True, " ".join(part.text for part in parts if part.text))

    def _part(self, sentence: str) -> Call:
        start = self._start.match(sentence)
        if start is not None:
            kept = [start["kept"], start["rest"]] if _words(start["rest"]) else [(start["kept"] or "") + start["rest"]]
            return Call(True, _sentence(", ".join(filter(None, kept))))
        end = self._end.match(sentence)
        if end is None or not (end["comma"] or _words(end["rest"]) < SHORT):
            return Call(False, sentence)
        return Call(True, _sentence(end["rest"] + end["stop"]))


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] if _words(text) else ""
