"""Decides whether speech is addressed to the robot: by wake name, push-to-talk button or dialogue window."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_SHORT = 4
"""Minimum number of words that require a comma before a name at the end of a sentence, unlike "Look left Reachy"."""

_CALLS = r"hey|oh|so|okay|ok|and"
"""Words before the name that are removed with it."""

_MEANT = r"hello|hi|no|yes|please|thanks|thank you|sorry|good (?:morning|evening|night)|bye|stop|wait"
"""Words before the name that are kept."""

_SENTENCE = re.compile(r"[^.!?]+[.!?]*")


class OpenedBy(IntEnum):
    """Reason why attention is open. Mirrors the constants of the `Attention` message."""

    CLOSED = 0
    NAME = 1
    BUTTON = 2
    DIALOGUE = 3
    ALWAYS = 4


@dataclass(frozen=True)
class AttentionRules:
    """Settings that determine what opens the robot's attention and how long attention stays open.

    Attributes:
        names: Name of the robot, nicknames, and common misrecognitions.
        always: Whether the robot responds to everything.
        named: Time that attention stays open after the name, s.
        pressed: Time that attention stays open after the button is released, s.
        answered: Time that attention stays open after the robot's answer, s; 0 for no dialogue window.
            To require the name in every request, set `named` to 0 too.
    """

    names: Sequence[str]
    always: bool = False
    named: float = 8.0
    pressed: float = 8.0
    answered: float = 6.0


def robot_names(text: str) -> tuple[str, ...]:
    """Parses a comma-separated list of names for the robot.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the text contains no name.
    """
    found = tuple(filter(None, (name.strip() for name in text.split(","))))
    if not found:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid robot_name {text!r:.60}: expected at least one name.")
    return found


@dataclass(frozen=True)
class Addressed:
    """Transcript with the decision whether it is addressed to the robot.

    Attributes:
        addressed: Whether the text is addressed to the robot. `RobotName` only considers calls by name.
        text: Text without the robot's name; empty if only the name was said.
    """

    addressed: bool
    text: str


class Attention:
    """State machine of the robot's attention. Uses no clock and no thread, because callers pass the times.

    Times are in seconds of any clock that never runs backwards. The start of a sentence counts: a speaker who starts
    while attention is open is heard to the end.

    Args:
        rules: Settings that determine what opens attention and how long it stays open.
    """

    def __init__(self, rules: AttentionRules) -> None:
        self._rules = rules
        self._name = RobotName(rules.names)
        self._opened_by = OpenedBy.ALWAYS if rules.always else OpenedBy.CLOSED
        self._closes = math.inf if rules.always else -math.inf
        self._held = False

    def opened_by(self, now: float) -> OpenedBy:
        """Returns the reason why attention is open at `now`, or `CLOSED`."""
        return self._opened_by if now < self._closes else OpenedBy.CLOSED

    def closes(self, now: float) -> float | None:
        """Returns the time (s) at which attention closes on its own; None if attention is closed or has no limit."""
        return self._closes if now < self._closes < math.inf else None

    def hear(self, text: str, began: float, now: float) -> Addressed:
        """Decides whether a draft or final transcript is addressed to the robot. A call by name opens attention.

        Args:
            text: Transcript.
            began: Start of the speech, s.
            now: Time at which the transcript was available, s.
        """
        call = self._name.find(text)
        if call.addressed:
            self._open(OpenedBy.NAME, now + self._rules.named)
        addressed = call.addressed or self.opened_by(began) is not OpenedBy.CLOSED
        return Addressed(addressed, call.text)

    def press(self) -> None:
        """Starts push-to-talk: until the button is released, all speech counts as addressed to the robot."""
        self._held = not self._rules.always
        self._open(OpenedBy.BUTTON, math.inf)

    def release(self, now: float) -> None:
        """Ends push-to-talk. For a short press of the button, call `press` and then `release`."""
        if self._held:
            self._held = False
            self._closes = now + self._rules.pressed

    def answered(self, now: float) -> None:
        """Opens the dialogue window after the robot has finished an answer."""
        if self._rules.answered > 0.0:
            self._open(OpenedBy.DIALOGUE, now + self._rules.answered)

    def close(self) -> None:
        """Closes attention early, unless it is always open."""
        if not self._rules.always:
            self._held = False
            self._opened_by, self._closes = OpenedBy.CLOSED, -math.inf

    def _open(self, by: OpenedBy, closes: float) -> None:
        """Opens attention for a period, unless attention is already open for longer."""
        if closes > self._closes:
            self._opened_by, self._closes = by, closes


class RobotName:
    """Detects whether a text calls the robot by name.

    A name counts as a call at the start of a sentence, even after a word such as "hey" or "no". It also counts at the
    end of a sentence if a comma or only a few words precede it. Anywhere else, the sentence is about the robot, not
    addressed to it.

    Args:
        names: Name of the robot, nicknames, and common misrecognitions.
    """

    def __init__(self, names: Sequence[str]) -> None:
        name = rf"\b(?:{'|'.join(re.escape(one) for one in names)})\b"
        before = rf"(?:(?:{_CALLS})\b[\s,]*)?(?P<kept>(?:{_MEANT})\b)?[\s,]*"
        self._start = re.compile(rf"^{before}{name}[\s,]*(?P<rest>.*)$", re.IGNORECASE | re.DOTALL)
        self._end = re.compile(rf"^(?P<rest>.*?)(?P<comma>,?)\s*{name}(?P<stop>[.!?]*)$", re.IGNORECASE | re.DOTALL)

    def find(self, text: str) -> Addressed:
        """Returns whether `text` calls the robot by name, and `text` without these calls."""
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
