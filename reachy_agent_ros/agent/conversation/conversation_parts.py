"""Components of a conversation, and the limits of a turn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from reachy_agent_ros.agent.conversation.dialogue import Dialogue
from reachy_agent_ros.agent.conversation.repetition import Repetition
from reachy_agent_ros.agent.conversation.status import StatusBoard
from reachy_agent_ros.agent.conversation.turn import Event
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.robot_interface import RobotInterface
from reachy_agent_ros.agent.traces.trace import Span
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer

Observe = Callable[[Event], None]
"""Callback for a turn's events, as they occur."""

Publish = Callable[[Span], None]
"""Callback for a turn's trace spans, as they end. Spans of speech may end after the turn."""

Calls = list[tuple[str, str]]
"""Called tools, each with the name of its error, or an empty string if it succeeded."""


@dataclass(frozen=True)
class Bounds:
    """Limits on the time and tokens of one conversation turn.

    Attributes:
        seconds: Time limit, without the time spent in the queue, s.
        tokens: Limit on the total input and output tokens of all model calls.
    """

    seconds: float = 120.0
    tokens: int = 40_000


@dataclass(frozen=True)
class Parts:
    """Components from which a conversation is assembled.

    Attributes:
        surroundings: Interface of the robot for speech and holding its pose.
        executor: Executes tools, subject to permissions.
        approvals: Tool calls that wait for approval.
        dialogue: Language model dialogue.
        reflexes: Intent recognizer, which is consulted before a model.
        status: Receives the state of the conversation.
        voice: Returns the name of the voice, empty for the configured one.
        began: Awaited with the request of every turn when the turn starts to run.
        ended: Called after every turn that ran without an exception, with its request, its result, its tool calls, and,
            in one line, the provenance labels of the text that the model was shown.
        stopped: Called when the robot is stopped, to end the calls of other programs.
        record_stop: Called after a stop with the person, the way of the stop, and the turn's id or an empty string.
        has_own_style: Whether the persona has a style of its own, so that a model answers greetings too.
        robot_name: Name of the robot in its own replies.
        repetition: Conversations in which the robot repeats the next sentence.
    """

    surroundings: RobotInterface
    executor: ToolExecutor
    approvals: Approvals
    dialogue: Dialogue
    reflexes: IntentRecognizer
    status: StatusBoard
    voice: Callable[[], str]
    began: Callable[[TurnRequest], Awaitable[None]]
    ended: Callable[[TurnRequest, TurnResult, Calls, str], None]
    stopped: Callable[[], None]
    record_stop: Callable[[str, str, str], None]
    has_own_style: Callable[[], bool] = lambda: False
    robot_name: str = "Reachy"
    repetition: Repetition = field(default_factory=Repetition)
