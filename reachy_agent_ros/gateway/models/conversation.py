"""Conversations: a chat request with its steps and answer, sessions, and their history."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.agent.permissions.principal import Principal

MAX_MESSAGE = 10_000
"""Characters of a message."""


class ChatRequest(BaseModel):
    """A sentence for the robot."""

    message: str = Field(min_length=1, max_length=MAX_MESSAGE, description="What you say.")
    session_id: str = Field("", max_length=100, description="Conversation to go on with; empty: the common one.")
    speak: bool = Field(False, description="Whether the robot says its reply aloud.")
    time_allowance: float = Field(0.0, ge=0.0, le=3600.0, description="Seconds for the turn; 0: the configured ones.")


class ChatAnswer(BaseModel):
    """What came of a sentence."""

    response: str = Field(description="The whole reply.")
    session_id: str = Field(description="Conversation it belongs to.")
    agent_used: str = Field(description="Who answered.")
    tools_called: list[str] = Field(description="In order.")
    trace_id: str = Field(description="The turn; `turn_trace` and `reachy-agent trace` know it by that.")
    elapsed: float = Field(description="Seconds.")
    input_tokens: int = Field(description="Read by models.")
    output_tokens: int = Field(description="Written by models.")


class StepKind(StrEnum):
    """What happened in a turn that goes on."""

    TOKEN = "token"  # noqa: S105 - a piece of text
    TOOL_STARTED = "tool_started"
    TOOL_ENDED = "tool_ended"
    HANDOFF = "handoff"
    WAITING = "waiting"
    QUEUED = "queued"


class TurnEvent(BaseModel):
    """One step of a turn, a server-sent event."""

    kind: StepKind = Field(description="Name of the event.")
    text: str = Field(default="", description="A piece of the reply, a tool's result, or what the turn waits for.")
    name: str = Field(default="", description="Tool or agent.")
    arguments: str = Field(default="", description="Of a tool that started: a JSON object.")


class SessionAnswer(BaseModel):
    """A conversation."""

    session_id: str
    created_at: float = Field(description="Seconds since the epoch.")
    changed_at: float = Field(description="Likewise.")
    message_count: int = Field(description="Sentences of the person in it.")
    active_agent: str = Field(description="Who answered last, empty where nobody did, and in lists.")
    beginning: str = Field(description="The first sentence, shortened.")
    branched_from: str = Field(description="Conversation it was copied from, empty if it was not.")


class SessionsAnswer(BaseModel):
    """All conversations."""

    sessions: list[SessionAnswer] = Field(description="The one that changed last first.")


class TranscriptMessage(BaseModel):
    """One thing that was said."""

    role: str = Field(description="`user`, `assistant`, or `tool` for a call and for its result, which begins with ->.")
    content: str = Field(description="In words.")
    timestamp: float | None = Field(description="Seconds since the epoch; null where it was not kept.")
    agent: str = Field(description="Who said it; empty for a person.")


class HistoryAnswer(BaseModel):
    """All that was said in a conversation."""

    messages: list[TranscriptMessage] = Field(description="Oldest first.")


class DeletedAnswer(BaseModel):
    """What was deleted."""

    session_id: str
    erased: bool = Field(
        description="Whether no byte of it is left on the disk; false while another process reads the file, and then "
        "it goes when that is opened next."
    )


class ConversationService(Protocol):
    """Turns and conversations. Every method raises `AgentError`: `NOT_FOUND` if no conversation has the name."""

    async def converse(
        self, request: ChatRequest, watch: Callable[[TurnEvent], None], asked_by: Principal
    ) -> ChatAnswer:
        """Runs one turn to its end, and calls `watch` in the event loop's thread for each step of it."""

    async def sessions(self) -> SessionsAnswer:
        """Lists all conversations."""

    async def session(self, session_id: str) -> SessionAnswer:
        """Describes a conversation, with who answered last in it."""

    async def history(self, session_id: str) -> HistoryAnswer:
        """Returns all that was said and done in a conversation."""

    async def resume(self, session_id: str) -> None:
        """Makes it the conversation that spoken sentences go on with; a new name begins one."""

    async def delete(self, session_id: str) -> DeletedAnswer:
        """Deletes a conversation and its plan."""
