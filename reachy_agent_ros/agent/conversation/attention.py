"""Whether what is said is said to the robot: by its name, by the button, or as an answer to the robot."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

_SHORT = 4
"""In a sentence with fewer words before the name, such as "Look left Reachy", the name calls although no comma was
heard."""

_CALLS = r"hey|oh|so|okay|ok|and"
"""Words before the name that mean no more than the name itself."""

_MEANT = r"hello|hi|no|yes|please|thanks|thank you|sorry|good (?:morning|evening|night)|bye|stop|wait"
"""Words before the name that are kept."""

_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


class OpenedBy(IntEnum):
    """Mirror of `Attention`'s constants."""

    CLOSED = 0
    NAME = 1
    BUTTON = 2
    DIALOGUE = 3
    ALWAYS = 4


@dataclass(frozen=True)
class AttentionRules:
    """What opens the robot's attention and for how long.

    Attributes:
        names: Its name, and what else it is called or heard as.
        always: Whether it listens to everything.
        named: Seconds it listens after its name.
        pressed: Seconds it listens after a push of the button; one that is held counts from its release.
        answered: Seconds it listens after its own answer; 0 to want its name every time.
    """

    names: Sequence[str]
    always: bool = False
    named: float = 8.0
    pressed: float = 8.0
    answered: float = 6.0


@dataclass(frozen=True)
class Addressed:
    """Whether a text is said to the robot.

    Attributes:
        addressed: Whether it is; all that `RobotName` knows of is a call by the name.
        text: What the robot is asked, without its name; empty if nothing but its name was said.
    """

    addressed: bool
    text: str


class Attention:
    """A state machine over texts and times; it knows no clock and no thread.

    Times are seconds of any one clock and never run back. A sentence counts by when it began: whoever starts in time is
    heard to the end.

    Args:
        rules: What opens it and for how long.
    """

    def __init__(self, rules: AttentionRules) -> None:
        self._rules = rules
        self._name = RobotName(rules.names)
        self._opened_by = OpenedBy.ALWAYS if rules.always else OpenedBy.CLOSED
        self._closes = math.inf if rules.always else -math.inf
        self._held = False

    def opened_by(self, now: float) -> OpenedBy:
        """What opened it, or that it is closed."""
        return self._opened_by if now < self._closes else OpenedBy.CLOSED

    def closes(self, now: float) -> float | None:
        """When it closes by itself, s; None where it does not, or is closed."""
        return self._closes if now < self._closes < math.inf else None

    def hear(self, text: str, began: float, now: float) -> Addressed:
        """Decides about a final text.

        Args:
            text: What was said.
            began: When it began, s.
            now: When it was understood, s.
        """
        call = self._name.find(text)
        if call.addressed:
            self._open(OpenedBy.NAME, now + self._rules.named)
        addressed = call.addressed or self.opened_by(began) is not OpenedBy.CLOSED
        return Addressed(addressed, call.text)

    def press(self) -> None:
        """The button goes down: all that is said is meant for the robot."""
        self._held = not self._rules.always
        self._open(OpenedBy.BUTTON, math.inf)

    def release(self, now: float) -> None:
        """The button comes up. A push without holding is `press` and this at once."""
        if self._held:
            self._held = False
            self._closes = now + self._rules.pressed

    def answered(self, now: float) -> None:
        """The robot has finished its own answer."""
        if self._rules.answered > 0.0:
            self._open(OpenedBy.DIALOGUE, now + self._rules.answered)

    def close(self) -> None:
        """Closes it before its time, unless it is always open."""
        if not self._rules.always:
            self._held = False
            self._opened_by, self._closes = OpenedBy.CLOSED, -math.inf

    def _open(self, by: OpenedBy, closes: float) -> None:
        """Opens it; what is open for longer already stays as it is."""
        if closes > self._closes:
            self._opened_by, self._closes = by, closes


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

    def find(self, text: str) -> Addressed:
        """Whether `text` calls the robot, and what is said besides."""
        parts = [self._part(sentence.strip()) for sentence in _SENTENCE.findall(text)]
        if not any(part.addressed for part in parts):
            return Addressed(False, text)
        return Addressed(True, " ".join(part.text for part in parts if part.text))

    def _part(self, sentence: str) -> Addressed:
        start = self._start.match(sentence)
        if start is not None:
            kept = [start["kept"], start["rest"]] if _words(start["rest"]) else [(start["kept"] or "") + start["rest"]]
            return Addressed(True, _sentence(", ".join(filter(None, kept))))
        end = self._end.match(sentence)
        if end is None or not (end["comma"] or _words(end["rest"]) < _SHORT):
            return Addressed(False, sentence)
        return Addressed(True, _sentence(end["rest"] + end["stop"]))


def _words(text: str) -> int:
    return len(re.findall(r"\w+", text))


def _sentence(text: str) -> str:
    return text[0].upper() + text[1:] if _words(text) else ""
