"""Whether what is said is said to the robot."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import IntEnum

from reachy_agent_ros.agent.conversation.robot_name import RobotName


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
    """What was decided about a text.

    Attributes:
        addressed: Whether it was said to the robot.
        text: What it is asked, without its name; empty where only its name was said.
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
        if call.named:
            self._open(OpenedBy.NAME, now + self._rules.named)
        addressed = call.named or self.opened_by(began) is not OpenedBy.CLOSED
        return Addressed(addressed, call.text)

    def press(self) -> None:
        """The button goes down."""
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
