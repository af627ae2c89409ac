"""What the recognizer makes of a sentence: act, ask back, or leave it to a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any


class DecisionKind(Enum):
    """What to do with a sentence."""

    ACT = "act"
    """It is a command: carry out the actions, in order."""

    ASK = "ask"
    """It is a command with more than one meaning: ask which."""

    DEFER = "defer"
    """It is not a command, or not one for the recognizer: leave it to a model."""


@dataclass(frozen=True)
class Action:
    """One call of a tool.

    Attributes:
        tool: Its name.
        arguments: As the tool's schema says; angles in degrees.
    """

    tool: str
    arguments: Mapping[str, Any]

    @property
    def arguments_json(self) -> str:
        """The arguments as a tool takes them."""
        return json.dumps(dict(self.arguments))


@dataclass(frozen=True)
class Decision:
    """What the recognizer decided about a text.

    Attributes:
        kind: What to do.
        actions: What to call, in order; empty unless `kind` is `ACT`.
        alternatives: The meanings to choose from when `kind` is `ASK`, each as the actions it would take.
        question: What to ask then, for a person.
        confidence: 0..1. What rules understood has 1, a free phrase its likeness to a known one, shared among the
            meanings to choose from; 0 to defer.
        wants_description: The person also asked what the robot sees.
        remainder: Rest of the sentence, which is not a command but wants an answer, in its own words.
    """

    kind: DecisionKind
    actions: tuple[Action, ...] = ()
    alternatives: tuple[tuple[Action, ...], ...] = ()
    question: str = ""
    confidence: float = 0.0
    wants_description: bool = False
    remainder: str = ""

    @property
    def options(self) -> list[str]:
        """Tools a question lets choose from."""
        return list(dict.fromkeys(action.tool for actions in self.alternatives for action in actions[:1]))

    @property
    def stops(self) -> bool:
        """Whether it begins with a stop, which waits for nothing."""
        return bool(self.actions) and self.actions[0].tool == "stop"


DEFER = Decision(DecisionKind.DEFER)
"""Not for the recognizer."""
