"""What a model is told beside the conversation: who it is, its tools, which to consider first, and what is known."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Sequence
from typing import Protocol

from reachy_agent_ros.agent.provenance.label import LabelledText
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

_log = logging.getLogger(__name__)

_OPENING = "\n\n<context>\n"
_CLOSING = "\n</context>"


class PromptContext:
    """Puts together what a model is told beside the conversation.

    The stable part comes first in a prompt and stays the same to the byte, so that a server reads it from its cache.
    What changes stands behind the person's words, and is not kept with them.

    Args:
        instructions: Gives how the robot speaks and what it cares for; the same bytes until it becomes another persona.
        allows: Whether the persona uses a tool.
        contexts: Give what is known in a conversation, by its name; they are called in a thread, for they read files.
    """

    def __init__(
        self,
        instructions: Callable[[], str],
        allows: Callable[[str], bool],
        contexts: Sequence[Callable[[str], LabelledText]],
    ) -> None:
        self._instructions = instructions
        self._allows = allows
        self._contexts = contexts

    @property
    def manner(self) -> str:
        """Who the robot is and how it speaks."""
        return self._instructions()

    def offered(self, catalogue: Sequence[ToolDescription]) -> list[ToolDescription]:
        """The tools that a model may choose from."""
        return [tool for tool in catalogue if self._allows(tool.name)]

    async def briefed(self, message: str, session_id: str, advice: str = "") -> tuple[str, list[LabelledText]]:
        """A person's words with what is known already, and an advice for this turn alone; and what is known."""
        known = await asyncio.to_thread(self._known, session_id)
        told = "\n\n".join(filter(None, (*(one.text for one in known), advice)))
        return f"{message}{_OPENING}{told}{_CLOSING}" if told else message, known

    def _known(self, session_id: str) -> list[LabelledText]:
        texts = []
        for context in self._contexts:
            try:
                texts.append(context(session_id))
            except AgentError as error:  # an answer without it is better than none
                _log.warning("The model is not told what is remembered: %s", error)
        return texts


def unbriefed(message: str) -> str:
    """The person's words alone, as they are stored."""
    words, opening, _ = message.rpartition(_OPENING)
    return words if opening and message.endswith(_CLOSING) else message


class ToolPreference(Protocol):
    """Advises on which tool to consider first. It biases a model, and tools, rules and questions stay as they are."""

    def advise(self, turn_id: uuid.UUID, text: str, tools: Sequence[ToolDescription]) -> str:
        """The tool to consider first; empty for no advice. Called in a thread, once a turn, before a model is asked.

        Args:
            turn_id: Turn that it is for.
            text: What the person said.
            tools: Those that may be advised.

        Raises:
            AgentError: There is no advice then.
        """
        ...


def advisable(tools: Sequence[ToolDescription]) -> list[ToolDescription]:
    """The tools whose effects can be undone without anybody's permission: advice may be tried out only with them."""
    return [
        tool for tool in tools if tool.reversible and not tool.needs_approval and tool.origin is ToolOrigin.PREDEFINED
    ]


def sentence(tool: ToolDescription) -> str:
    """The advice as a model is told it."""
    return (
        f"Where several tools fit what was asked for, consider {tool.name} of the {tool.specialist} specialist first."
    )
