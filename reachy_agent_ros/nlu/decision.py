"""Decision of the intent recognizer: act, ask a clarifying question, or defer to a model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

PAUSE = "pause"
HALTS = ("stop", PAUSE)
"""Tools that end motions, speech and turns. A stop can be continued like a pause."""


class DecisionKind(Enum):
    """Kind of decision on how to handle a sentence."""

    ACT = "act"
    """The sentence is a command: carry out the actions in order."""

    ASK = "ask"
    """The sentence is an ambiguous command: ask which meaning is intended."""

    DEFER = "defer"
    """The sentence is not a command, or not one that the recognizer knows: leave it to a model."""


@dataclass(frozen=True)
class Action:
    """Tool call.

    Attributes:
        tool: Name of the tool.
        arguments: Arguments according to the tool's schema, angles in degrees.
    """

    tool: str
    arguments: Mapping[str, Any]

    @property
    def arguments_json(self) -> str:
        """Arguments as JSON."""
        return json.dumps(dict(self.arguments))


@dataclass(frozen=True)
class Decision:
    """Decision on how to handle a text.

    Attributes:
        kind: Kind of decision.
        actions: Tool calls in order; empty unless `kind` is `ACT`.
        alternatives: Meanings to choose from if `kind` is `ASK`, each as a sequence of tool calls.
        question: Clarifying question if `kind` is `ASK`.
        confidence: Confidence, 0..1: 1 if understood by rules, otherwise the similarity to a known phrase or spelling;
            divided by the number of meanings to choose from; 0 to defer.
        wants_description: Whether the person also asked what the robot sees.
        remainder: Rest of the sentence as written, which is not a command but needs an answer.
        language: ISO 639-1 code of the language whose templates recognized the sentence; empty if another way did.
    """

    kind: DecisionKind
    actions: tuple[Action, ...] = ()
    alternatives: tuple[tuple[Action, ...], ...] = ()
    question: str = ""
    confidence: float = 0.0
    wants_description: bool = False
    remainder: str = ""
    language: str = field(default="", compare=False)

    @property
    def is_guess(self) -> bool:
        """Whether the question is about a single uncertain meaning. A model understands such a sentence better."""
        return self.kind is DecisionKind.ASK and len(self.alternatives) == 1 and self.confidence < 1.0

    @property
    def options(self) -> list[str]:
        """Names of the tools that the alternatives call first."""
        return list(dict.fromkeys(action.tool for actions in self.alternatives for action in actions[:1]))

    @property
    def stops(self) -> bool:
        """Whether the first action is a stop or a pause, which is carried out immediately."""
        return bool(self.actions) and self.actions[0].tool in HALTS

    @property
    def steers(self) -> bool:
        """Whether the only actions change how the robot carries out a running motion. They do not wait for its end."""
        return bool(self.actions) and all(action.tool == "set_pace" for action in self.actions)


DEFER = Decision(DecisionKind.DEFER)
"""Decision to leave a sentence to a model."""

HOLD = Decision(DecisionKind.ACT, (Action("stop", {}),), confidence=1.0)
"""Decision to stop, and to do nothing else."""
