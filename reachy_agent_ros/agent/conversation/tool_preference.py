"""Advice on which tool to consider first. It biases a model and decides nothing: tools, rules and questions stay."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Protocol

from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription


class ToolPreference(Protocol):
    """Who gives it."""

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


class NoPreference:
    """Never advises anything."""

    def advise(self, turn_id: uuid.UUID, text: str, tools: Sequence[ToolDescription]) -> str:
        """Nothing."""
        return ""


def advisable(tools: Sequence[ToolDescription]) -> list[ToolDescription]:
    """Those whose deeds can be taken back without anybody's leave: an advice may be tried out only with them."""
    return [tool for tool in tools if tool.reversible and not tool.needs_approval and tool.origin is Origin.PREDEFINED]


def sentence(tool: ToolDescription) -> str:
    """The advice as a model is told it."""
    return (
        f"Where several tools fit what was asked for, consider {tool.name} of the {tool.specialist} specialist first."
    )
