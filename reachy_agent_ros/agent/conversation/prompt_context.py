"""Context that is added to a model's prompt: the persona, its tools, a suggested tool, and relevant knowledge."""

from __future__ import annotations

import asyncio
import logging
import uuid
from collections.abc import Callable, Sequence
from typing import Protocol

from reachy_agent_ros.agent.conversation.specialists import USUAL_TEAM, Team
from reachy_agent_ros.agent.provenance.label import LabeledText
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

_log = logging.getLogger(__name__)

_OPENING = "\n\n<context>\n"
_CLOSING = "\n</context>"


class PromptContext:
    """Builds the prompt context of a model.

    The stable part comes first in a prompt and is byte-identical between turns, so that servers can cache the prompt
    prefix. The variable part follows the user message and is not stored with it.

    Args:
        instructions: Returns the persona's instructions, byte-identical until the persona changes.
        allows: Returns whether the persona allows a tool.
        contexts: Functions that return knowledge for a session id and a user message. They are called in a thread
            because they read files.
        team: The coordinator and the specialists.

    Attributes:
        team: The coordinator and the specialists.
    """

    def __init__(
        self,
        instructions: Callable[[], str],
        allows: Callable[[str], bool],
        contexts: Sequence[Callable[[str, str], LabeledText]],
        team: Team = USUAL_TEAM,
    ) -> None:
        self.team = team
        self._instructions = instructions
        self._allows = allows
        self._contexts = contexts

    @property
    def manner(self) -> str:
        """The persona's instructions on character and manner of speaking."""
        return self._instructions()

    def offered(self, catalogue: Sequence[ToolDescription]) -> list[ToolDescription]:
        """Returns the tools of a catalogue that the persona allows."""
        return [tool for tool in catalogue if self._allows(tool.name)]

    async def briefed(self, message: str, session_id: str, advice: str = "") -> tuple[str, list[LabeledText]]:
        """Returns the user message extended by knowledge and a tool suggestion, and the knowledge as separate texts."""
        known = await asyncio.to_thread(self._known, session_id, message)
        told = "\n\n".join(filter(None, (*(one.text for one in known), advice)))
        return f"{message}{_OPENING}{told}{_CLOSING}" if told else message, known

    def _known(self, session_id: str, message: str) -> list[LabeledText]:
        texts = []
        for context in self._contexts:
            try:
                texts.append(context(session_id, message))
            except AgentError as error:  # an answer without this knowledge is better than none
                _log.warning("Continuing without part of the prompt context: %s", error)
        return texts


def unbriefed(message: str) -> str:
    """Removes the prompt context from a user message before the message is stored."""
    words, opening, _ = message.rpartition(_OPENING)
    return words if opening and message.endswith(_CLOSING) else message


class ToolPreference(Protocol):
    """Interface for tool suggestions. A suggestion changes neither the offered tools nor permissions and approvals."""

    def advise(self, turn_id: uuid.UUID, text: str, tools: Sequence[ToolDescription]) -> str:
        """Returns the name of the tool that the model should consider first, or an empty string.

        Called in a thread, once per turn.

        Args:
            turn_id: Turn.
            text: User message.
            tools: Tools that may be suggested.

        Raises:
            AgentError: No suggestion is available. The turn continues without one.
        """
        ...


def advisable(tools: Sequence[ToolDescription]) -> list[ToolDescription]:
    """Returns the tools that are safe to suggest: predefined and reversible tools that need no approval."""
    return [
        tool for tool in tools if tool.reversible and not tool.needs_approval and tool.origin is ToolOrigin.PREDEFINED
    ]


def sentence(tool: ToolDescription) -> str:
    """Returns the sentence that suggests a tool to a model."""
    return f"If several tools fit the request, consider {tool.name} of the {tool.specialist} specialist first."
