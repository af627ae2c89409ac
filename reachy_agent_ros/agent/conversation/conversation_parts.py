"""What a conversation is made of, and what one turn of it may use."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from reachy_agent_ros.agent.conversation.dialogue import Dialogue
from reachy_agent_ros.agent.conversation.status import StatusBoard
from reachy_agent_ros.agent.conversation.turn import Event
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.robot_interface import RobotInterface
from reachy_agent_ros.agent.traces.trace import Span
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer

Observe = Callable[[Event], None]
"""Takes a turn's events as they come."""

Publish = Callable[[Span], None]
"""Takes a turn's spans as they end, speech also after the turn."""

Calls = list[tuple[str, str]]
"""Tools that were called, with the name of the error each ended with, empty for none."""


@dataclass(frozen=True)
class Bounds:
    """What one turn may use.

    Attributes:
        seconds: Time, without that spent waiting for its turn.
        tokens: Read and written by all model calls together.
    """

    seconds: float = 120.0
    tokens: int = 40_000


@dataclass(frozen=True)
class Parts:
    """What a conversation is made of.

    Attributes:
        surroundings: The world around it.
        gate: The way to every tool.
        approvals: What waits for a person.
        dialogue: What a model takes.
        reflexes: What decides first.
        status: Shows what the conversation is doing.
        voice: Tells the name of the voice, empty for the configured one.
        began: Awaited with the request of every turn that runs, before anything is done.
        ended: Called with every turn that has run to its end, the tools it called, and the provenance
            labels of what it was shown, in one line.
        stopped: Called when the robot is stopped, to end the calls of other programs.
    """

    surroundings: RobotInterface
    gate: ToolExecutor
    approvals: Approvals
    dialogue: Dialogue
    reflexes: IntentRecognizer
    status: StatusBoard
    voice: Callable[[], str]
    began: Callable[[TurnRequest], Awaitable[None]]
    ended: Callable[[TurnRequest, TurnResult, Calls, str], None]
    stopped: Callable[[], None]
