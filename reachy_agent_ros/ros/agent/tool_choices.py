"""Tool recommendations for the agent. Publishes the agent's tool choices as action records that people can rate."""

from __future__ import annotations

import math
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import replace

from reachy_agent_msgs.msg import ActionRecord as ActionRecordMessage

from reachy_agent_ros.agent.conversation.turn import Event, ToolEnded, ToolStarted
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.core import names
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.learning.action_record import CALLED, TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.advisor.advisor import Advice, ToolAdvisor
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.ros.action_records import act_message
from reachy_agent_ros.ros.rclpy_ext.base import AgentNode
from reachy_agent_ros.ros.rclpy_ext.qos import RECENT
from reachy_agent_ros.tools.protocol.tools import ToolDescription

_NO_ADVICE = Advice(None, "")


class ToolChoices:
    """Recommends tools to the agent, and publishes its choices. Thread-safe.

    An action begins with the first tool call of a turn, not with the advice, because feedback during a call refers to
    the called tool.

    Args:
        node: Node that publishes the records.
        embedder: Returns the sentence embedder.
    """

    def __init__(self, node: AgentNode, embedder: Callable[[], SentenceEmbedder]) -> None:
        exploration = node.parameter("tool_exploration")
        self._node = node
        self._advisor = ToolAdvisor(PolicyStore(), embedder, exploration)
        self._acts = node.create_publisher(ActionRecordMessage, names.ACTION_RECORDS, RECENT)
        self._lock = threading.Lock()
        self._advice: dict[uuid.UUID, Advice] = {}
        self._begun: dict[uuid.UUID, ActionRecord] = {}

    def advise(self, turn_id: uuid.UUID, text: str, tools: Sequence[ToolDescription]) -> str:
        """Returns the tool to recommend for a text, or an empty string. Implements `ToolPreference`."""
        advice = self._advisor.advise(text, tools)
        with self._lock:
            self._advice[turn_id] = advice
        return advice.choice.advised if advice.choice is not None else ""

    def watch(self, request: TurnRequest, event: Event) -> None:
        """Handles an event of a turn."""
        if isinstance(event, ToolEnded):
            self._advisor.note_call(event.name, event.outcome.error is None)
        elif (
            isinstance(event, ToolStarted) and not request.deeds.begun
        ):  # otherwise, the action has begun before this choice
            self._begin(request.turn_id, event.name)

    def end(self, request: TurnRequest, result: TurnResult) -> None:
        """Handles the end of a turn: publishes the outcome of its tool choice."""
        with self._lock:
            advised = self._advice.get(request.turn_id, _NO_ADVICE).choice is not None
        if advised:
            self._begin(request.turn_id)  # calling no tool is also a choice
        with self._lock:
            self._advice.pop(request.turn_id, None)
            act = self._begun.pop(request.turn_id, None)
        if act is not None:
            called = {f"{CALLED}{tool}": float(result.tools_called.count(tool)) for tool in result.tools_called}
            outcome = {**called, "failed": float(result.error is not None)}
            self._publish(replace(act, ended=time.time(), outcome=outcome))

    def _begin(self, turn_id: uuid.UUID, tool: str = "") -> None:
        with self._lock:
            if turn_id in self._begun:
                return
            act = _act(turn_id, self._advice.get(turn_id, _NO_ADVICE), tool)
            self._begun[turn_id] = act
        self._publish(act)

    def _publish(self, act: ActionRecord) -> None:
        self._acts.publish(act_message(self._node.header(), act))


def _act(turn_id: uuid.UUID, advice: Advice, tool: str) -> ActionRecord:
    """Returns the action record of a recommendation. Without a recommendation, uses the first called tool."""
    choice = advice.choice
    return ActionRecord(
        act_id=uuid.uuid4(),
        turn_id=turn_id,
        skill=TOOL_CHOICE,
        context=choice.situation.context if choice is not None else {},
        action=choice.action if choice is not None else {tool: 1.0},
        probability=choice.probability if choice is not None else 1.0,
        policy_version=advice.version,
        began=time.time(),
        ended=math.inf,
    )
