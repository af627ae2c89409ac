"""Descriptions, calls and outcomes of the agent's tools, which may have any origin."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from reachy_agent_ros.core.errors import AgentError


class ToolOrigin(StrEnum):
    """Origin of a tool, in the order of the constants in the message `ToolSpec`."""

    PREDEFINED = "predefined"
    GENERATED = "generated"
    EXTERNAL = "external"


class ToolAuthor(StrEnum):
    """Kind of author of a generated tool.

    The members have the same order as the constants of the message `ToolSpec`.
    """

    NONE = "none"
    """Not a generated tool."""
    PERSON = "person"
    LANGUAGE_MODEL = "language_model"
    IMPORT = "import"
    """Imported from a file."""


@dataclass(frozen=True)
class ToolDescription:
    """Description of a tool in the live catalog.

    Attributes:
        name: Its name.
        description: Description for a model.
        schema: JSON Schema of its arguments.
        time_limit: Maximum duration of a call, s.
        needs_approval: Whether a person must approve each call.
        reversible: Whether its effect can be undone, so that it may start before a sentence is complete.
        origin: Origin of the tool.
        moves_robot: Whether the tool moves the robot.
        specialist: Agent that uses the tool: "robot", "vision", "web", "code" or "memory".
        untrusted_output: Whether its result may contain untrusted text: from the web, a picture or a file.
        author: Author of a generated tool.
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
    author: ToolAuthor = ToolAuthor.NONE

    @property
    def own_name(self) -> str:
        """Name without the name of the MCP server, which precedes the first underscore in the name of its tool."""
        return self.name.partition("_")[2] if self.origin is ToolOrigin.EXTERNAL else self.name

    @property
    def has_untrusted_output(self) -> bool:
        """Whether the tool's result may contain untrusted text."""
        return self.untrusted_output or self.origin is not ToolOrigin.PREDEFINED


@dataclass(frozen=True)
class ToolOutcome:
    """Outcome of a tool call.

    Attributes:
        result_json: JSON object, "{}" after an error.
        error: Reason for the failure; None if the call succeeded.
        next: Instruction for the model about its next step; empty if none.
        origin: Provenance labels of the result in one line; None if the tool's description determines them.
    """

    result_json: str
    error: AgentError | None = None
    next: str = ""
    origin: str | None = None

    @property
    def for_model(self) -> str:
        """Result of the call. An error has a form that a model cannot mistake for a success."""
        lead = {"next": self.next} if self.next else {}
        if self.error is not None:
            return json.dumps({"error": self.error.code.name, "message": self.error.message, **lead})
        return json.dumps({**json.loads(self.result_json), **lead}, ensure_ascii=False) if lead else self.result_json


Report = Callable[[float, str], None]
"""Receives the progress of a call, 0 to 1, and a description of the current step."""


@dataclass(frozen=True)
class ToolCall:
    """Tool call that has been permitted.

    Attributes:
        tool: Name of the tool.
        arguments_json: JSON object; empty means no arguments.
        turn_id: Turn of the call.
        session_id: Conversation of the call.
        approval_id: A person's approval; None if none was needed.
        asked_by: Token of the request; empty if none.
        report: Receives progress, in any thread; None if nobody needs it.
        origin: Provenance labels of the text in its arguments, in one line; empty if a person said it.
        language: ISO 639-1 code of the request's language; empty if unknown.
    """

    tool: str
    arguments_json: str
    turn_id: uuid.UUID
    session_id: str = ""
    approval_id: uuid.UUID | None = None
    asked_by: str = ""
    report: Report | None = field(default=None, compare=False)
    origin: str = ""
    language: str = ""


class ToolSource(Protocol):
    """Source of tools. Use it from one event loop. Its methods never block."""

    def catalogue(self) -> Sequence[ToolDescription]:
        """Returns the callable tools, as the same object until they change."""
        ...

    async def call(self, call: ToolCall) -> ToolOutcome:
        """Runs a call. Returns failures as outcomes. Canceling this coroutine cancels the call."""
        ...
