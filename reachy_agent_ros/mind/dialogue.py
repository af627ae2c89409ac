"""What a language model answers, and what of a conversation it is shown later."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind import phrases
from reachy_agent_ros.mind.model.access import ModelAccess
from reachy_agent_ros.mind.reflex_turn import REFLEX
from reachy_agent_ros.mind.sessions import SessionStore
from reachy_agent_ros.mind.tools import ToolDescription
from reachy_agent_ros.mind.turn import Turn

if TYPE_CHECKING:
    from agents.items import TResponseInputItem


class Dialogue:
    """The part of a conversation that a model takes.

    Args:
        access: The way to the model.
        sessions: Where conversations are kept.
        approval_time: How long a tool call may wait for a person, s.
        tokens: Read and written by all model calls of one turn together.
    """

    def __init__(self, access: ModelAccess, sessions: SessionStore, approval_time: float, tokens: int) -> None:
        self._access = access
        self._sessions = sessions
        self._approval_time = approval_time
        self._tokens = tokens

    async def answer(self, turn: Turn, message: str, catalogue: Sequence[ToolDescription]) -> None:
        """Lets the model answer, or says openly why it does not.

        Args:
            turn: Takes the reply.
            message: What the model is told the person said.
            catalogue: The tools it may use.

        Raises:
            AgentError: `STORAGE_FAILED`, when the answer could not be kept.
        """
        history: list[TResponseInputItem] = []
        try:
            model = await self._access.model(turn.request.text)
            from reachy_agent_ros.mind.function_tools import function_tools
            from reachy_agent_ros.mind.model_turn import answer
            from reachy_agent_ros.mind.team import build_team

            history = await self._sessions.history(turn.request.session_id)
            tools = function_tools(catalogue, turn.call_tool, self._approval_time)
            team = build_team(model, tools, self._access.endpoint.max_tokens)
            full = await answer(turn, team, [*history, _said("user", message)], self._tokens)
        except AgentError as error:
            _excuse(turn, error, [tool.name for tool in catalogue])
            await self.remember(turn)
        else:
            await self._sessions.append(turn.request.session_id, full[len(history) :])

    async def remember(self, turn: Turn) -> None:
        """Keeps a turn no model answered, so that the next one that does knows of it.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        items = [_said("user", turn.request.text), _said("assistant", turn.result.reply)]
        await self._sessions.append(turn.request.session_id, items)


def _excuse(turn: Turn, error: AgentError, tools: Sequence[str]) -> None:
    turn.result.error = error
    turn.result.agent = turn.result.agent or REFLEX
    turn.end_sentence()
    unavailable = error.code is ErrorCode.MODEL_UNAVAILABLE
    turn.reply(phrases.cannot_chat(error, tools) if unavailable else phrases.broken(error))


def _said(role: Literal["user", "assistant"], text: str) -> TResponseInputItem:
    return {"role": role, "content": text}
