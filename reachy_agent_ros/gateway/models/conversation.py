"""Conversations: chat requests with their steps and answers, sessions, and their history."""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.agent.permissions.principal import Principal

MAX_MESSAGE = 10_000
"""Maximum length of a message, characters."""


class ChatRequest(BaseModel):
    """Message to the robot."""

    message: str = Field(min_length=1, max_length=MAX_MESSAGE, description="Text of the message.")
    session_id: str = Field("", max_length=100, description="Conversation to continue; empty: the default one.")
    speak: bool = Field(False, description="Whether the robot speaks its reply.")
    time_allowance: float = Field(
        0.0,
        ge=0.0,
        le=3600.0,
        description="Time limit of the turn, seconds, not counting the wait for earlier turns; 0: the configured one.",
    )


class ChatAnswer(BaseModel):
    """Result of a turn."""

    response: str = Field(description="Complete reply.")
    session_id: str = Field(description="Conversation of the turn.")
    agent_used: str = Field(description="Agent that answered.")
    tools_called: list[str] = Field(description="Names of the called tools, in order.")
    trace_id: str = Field(description="Id of the turn, as in `GET /traces` and `reachy-agent trace`.")
    elapsed: float = Field(description="Duration of the turn, seconds.")
    input_tokens: int = Field(description="Number of tokens that models read.")
    output_tokens: int = Field(description="Number of tokens that models wrote.")


class StepKind(StrEnum):
    """Kind of a step in a running turn."""

    TOKEN = "token"  # noqa: S105 - a piece of text
    TOOL_STARTED = "tool_started"
    TOOL_ENDED = "tool_ended"
    HANDOFF = "handoff"
    WAITING = "waiting"
    QUEUED = "queued"


class TurnEvent(BaseModel):
    """Step of a turn, sent as a server-sent event."""

    kind: StepKind = Field(description="Name of the event.")
    text: str = Field(default="", description="Part of the reply, result of a tool, or reason for waiting.")
    name: str = Field(default="", description="Name of the tool or agent.")
    arguments: str = Field(default="", description="Arguments of a started tool, a JSON object.")
    turn_id: str = Field(default="", description="Id of the turn, as in `GET /traces`.")


class SessionAnswer(BaseModel):
    """Conversation with its summary."""

    session_id: str
    created_at: float = Field(description="Time of the first message, seconds since the epoch.")
    changed_at: float = Field(description="Time of the last message, seconds since the epoch.")
    message_count: int = Field(description="Number of messages from the person.")
    active_agent: str = Field(description="Agent that answered last; empty if no agent answered, and in lists.")
    beginning: str = Field(description="First message, shortened.")
    branched_from: str = Field(description="Conversation from which this one was copied; empty if none.")


class SessionsAnswer(BaseModel):
    """All conversations."""

    sessions: list[SessionAnswer] = Field(description="Conversations, most recently changed first.")


class TranscriptMessage(BaseModel):
    """Entry in the history of a conversation."""

    role: str = Field(description="`user`, `assistant`, or `tool` for a call and for its result, which begins with ->.")
    content: str = Field(description="Text of the entry.")
    timestamp: float | None = Field(description="Time of the entry, seconds since the epoch; null if unknown.")
    agent: str = Field(description="Agent that wrote the entry; empty for a person, or if unknown.")


class HistoryAnswer(BaseModel):
    """History of a conversation."""

    messages: list[TranscriptMessage] = Field(description="Entries, oldest first.")


class DeletedAnswer(BaseModel):
    """Result of a deletion."""

    session_id: str
    erased: bool = Field(
        description="Whether all data of the conversation is erased from the disk. False while another process reads "
        "the file; the data is then erased when the file is next opened."
    )


class ConversationService(Protocol):
    """Service for turns and conversations. All methods raise `AgentError`, `NOT_FOUND` for unknown conversations."""

    async def converse(
        self, request: ChatRequest, watch: Callable[[TurnEvent], None], asked_by: Principal
    ) -> ChatAnswer:
        """Runs one turn to its end. Calls `watch` in the thread of the event loop for each step."""

    async def sessions(self) -> SessionsAnswer:
        """Returns all conversations."""

    async def session(self, session_id: str) -> SessionAnswer:
        """Returns a conversation. Its summary includes the agent that answered last."""

    async def history(self, session_id: str) -> HistoryAnswer:
        """Returns the history of a conversation."""

    async def resume(self, session_id: str) -> None:
        """Selects the conversation that spoken messages continue. A new name starts a conversation."""

    async def delete(self, session_id: str) -> DeletedAnswer:
        """Deletes a conversation and its plan."""
