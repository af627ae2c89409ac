"""Tools as the mind sees them, wherever they come from."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from reachy_agent_ros.core.errors import AgentError


class ToolOrigin(StrEnum):
    """Where a tool comes from, in the order of the numbers of `ToolSpec`."""

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
        moves_robot: Whether the body moves.
        specialist: Agent that uses it: "robot", "vision", "web", "code" or "memory".
        untrusted_output: Whether its result holds words of others: from the web, a picture or a file.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    time_limit: float
    needs_approval: bool = False
    reversible: bool = False
    origin: ToolOrigin = ToolOrigin.PREDEFINED
    moves_robot: bool = False
    specialist: str = "robot"
    untrusted_output: bool = False

    @property
    def is_of_others(self) -> bool:
        """Whether what it tells holds words of others."""
        return self.untrusted_output or self.origin is not ToolOrigin.PREDEFINED


@dataclass(frozen=True)
class ToolOutcome:
    """How a call ended.

    Attributes:
        result_json: JSON object, "{}" after an error.
        error: What went wrong, None if nothing did.
        next: What a model is to do now, in a sentence; empty where that is its own affair.
        origin: Provenance labels of the result in one line; None where the tool's description tells them.
    """

    result_json: str
    error: AgentError | None = None
    next: str = ""
    origin: str | None = None

    @property
    def for_model(self) -> str:
        """The result, or the error in a form that no model takes for a success."""
        lead = {"next": self.next} if self.next else {}
        if self.error is not None:
            return json.dumps({"error": self.error.code.name, "message": self.error.message, **lead})
        return json.dumps({**json.loads(self.result_json), **lead}, ensure_ascii=False) if lead else self.result_json


Report = Callable[[float, str], None]
"""Takes the progress of a call, 0 to 1, and what is being done, in words."""


@dataclass(frozen=True)
class ToolCall:
    """A call that may be made.

    Attributes:
        tool: Name.
        arguments_json: JSON object; empty means no arguments.
        turn_id: Turn it belongs to.
        session_id: Conversation it belongs to.
        approval_id: A person's approval of it, None where none was needed.
        asked_by: Token that the request was made with, empty if none.
        report: Takes how far it is, in any thread; None where nobody wants to know.
        origin: Provenance labels of the text in its arguments, in one line; empty where a person said it.
    """

    tool: str
    arguments_json: str
    turn_id: uuid.UUID
    session_id: str = ""
    approval_id: uuid.UUID | None = None
    asked_by: str = ""
    report: Report | None = field(default=None, compare=False)
    origin: str = ""


class ToolSource(Protocol):
    """Where tools come from. Use it from one event loop; it blocks nothing."""

    def catalogue(self) -> Sequence[ToolDescription]:
        """The tools that can be called now: the same object until something changes."""
        ...

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Makes a call; every failure is an outcome, and cancelling it cancels what it started."""
        ...
