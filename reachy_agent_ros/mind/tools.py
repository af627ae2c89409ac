"""The robot's tools as the mind sees them."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from reachy_agent_ros.core.errors import AgentError


class Origin(StrEnum):
    """Where a tool comes from; mirror of `ToolSpec`."""

    PREDEFINED = "predefined"
    GENERATED = "generated"
    EXTERNAL = "external"


@dataclass(frozen=True)
class ToolDescription:
    """One tool of the live catalogue.

    Attributes:
        name: Its name.
        description: What it does, for a model.
        schema: JSON Schema of its arguments.
        time_limit: Longest a call may take, s.
        needs_approval: Whether a person must say yes to each call.
        reversible: Whether what it does can be taken back, so that it may begin before a sentence is over.
        origin: Where it comes from.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    time_limit: float
    needs_approval: bool = False
    reversible: bool = False
    origin: Origin = Origin.PREDEFINED


@dataclass(frozen=True)
class ToolOutcome:
    """How a call ended.

    Attributes:
        result_json: JSON object, "{}" after an error.
        error: What went wrong, None if nothing did.
    """

    result_json: str
    error: AgentError | None = None

    @property
    def for_model(self) -> str:
        """The result, or the error in a form that no model takes for a success."""
        if self.error is None:
            return self.result_json
        return json.dumps({"error": self.error.code.name, "message": self.error.message})


CallTool = Callable[[str, str], Awaitable[ToolOutcome]]
"""Calls a tool by name with its arguments as JSON."""
