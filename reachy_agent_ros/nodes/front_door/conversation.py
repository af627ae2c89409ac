"""Conversation over ROS: turns through `converse`, what was said from the agent's own file."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from pathlib import Path

from rclpy.node import Node
from reachy_agent_msgs.action import Converse

from reachy_agent_ros.core import names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.ports.conversation import Answer, Said, SessionSummary, Step, StepKind
from reachy_agent_ros.mind.sessions.session_store import FILE_NAME, SessionStore
from reachy_agent_ros.nodes.calls import ActionCaller
from reachy_agent_ros.nodes.convert import duration_message, seconds_of, uuid_from_message
from reachy_agent_ros.nodes.event_loop import in_thread
from reachy_agent_ros.nodes.heartbeat import HeartbeatWatch

LONGEST_TURN = 3600.0
"""s; the agent's own limit is far shorter, and this one holds if it fails."""

_KINDS = {
    Converse.Feedback.TOKEN: StepKind.TOKEN,
    Converse.Feedback.TOOL_STARTED: StepKind.TOOL_STARTED,
    Converse.Feedback.TOOL_ENDED: StepKind.TOOL_ENDED,
    Converse.Feedback.HANDOFF: StepKind.HANDOFF,
    Converse.Feedback.WAITING: StepKind.WAITING,
}


class RosConversation:
    """Implements `gateway.ports.conversation.Conversation`.

    Args:
        node: Whose executor spins in another thread.
        directory: State directory of the agent.
    """

    def __init__(self, node: Node, directory: Path) -> None:
        self._turns = ActionCaller(node, Converse, names.CONVERSE, HeartbeatWatch(node, names.AGENT))
        self._directory = directory

    async def converse(
        self, text: str, session_id: str, watch: Callable[[Step], None], *, speak: bool, allowance: float
    ) -> Answer:
        """One turn, to its end; cancelling it cancels the turn."""
        loop = asyncio.get_running_loop()

        def hear(feedback: Converse.Feedback) -> None:  # in the executor's thread
            loop.call_soon_threadsafe(watch, _step(feedback))

        goal = Converse.Goal(
            text=text,
            session_id=session_id,
            source=Converse.Goal.REMOTE,
            speak=speak,
            wait=True,
            time_allowance=duration_message(allowance),
        )
        result = await in_thread(
            lambda token: self._turns.call(goal, allowance or LONGEST_TURN, token, hear, uuid.uuid4())
        )
        if result.error_code != ErrorCode.NONE:
            raise AgentError(ErrorCode(result.error_code), result.error_msg)
        return _answer(result)

    async def session(self, session_id: str) -> SessionSummary:
        """What is known of a conversation."""
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no conversation {session_id!r:.100}.")

    async def history(self, session_id: str) -> Sequence[Said]:
        """All that was said in it, oldest first."""
        store = SessionStore(self._directory / FILE_NAME)
        try:
            items = await store.items(session_id)
        finally:
            store.close()
        return [Said(str(item.get("role", "tool")), str(item.get("content", ""))) for item in items]


def _step(feedback: Converse.Feedback) -> Step:
    return Step(_KINDS[feedback.kind], feedback.text, feedback.name, feedback.arguments_json)


def _answer(result: Converse.Result) -> Answer:
    return Answer(
        turn_id=str(uuid_from_message(result.turn_id)),
        session_id=result.session_id,
        reply=result.reply,
        agent=result.agent,
        tools_called=list(result.tools_called),
        elapsed=seconds_of(result.elapsed),
        input_tokens=result.input_tokens,
        output_tokens=result.output_tokens,
    )
