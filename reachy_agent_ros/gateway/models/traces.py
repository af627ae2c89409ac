"""Recorded turns: a summary of each, and its steps."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, Field


class TraceStep(BaseModel):
    """One step of a turn."""

    span: int = Field(description="Number within the turn; 0 is the turn itself.")
    parent: int = Field(description="Span it belongs to.")
    kind: int = Field(
        description="0 turn, 1 hearing, 2 reflex, 3 model, 4 tool, 5 handoff, 6 approval, 7 speech, 8 guardrail."
    )
    name: str = Field(description="Tool, agent or rule.")
    start: float = Field(description="Seconds after the turn's start; negative for what was heard.")
    duration: float = Field(description="Seconds.")
    input_tokens: int = Field(description="Read by a model.")
    output_tokens: int = Field(description="Written by a model.")
    arguments_json: str = Field(description="Of a tool call.")
    summary: str = Field(description="One line for people.")
    error_code: int = Field(description="0 where it ended well.")
    error_msg: str = Field(description="One sentence for people.")


class TurnSummary(BaseModel):
    """One turn."""

    turn_id: str
    session_id: str = Field(description="Conversation it belongs to.")
    began: float = Field(description="Seconds since the epoch.")
    heard: str = Field(description="What the person said, where it is known.")
    reply: str = Field(description="What was answered.")
    agent: str = Field(description="Who answered; empty where nobody did.")
    duration: float | None = Field(description="Seconds; null while it runs.")
    input_tokens: int = Field(description="Read by models.")
    output_tokens: int = Field(description="Written by models.")
    tools: list[str] = Field(description="Tools that were called, in order.")
    error_code: int = Field(description="0 where it ended well.")
    error_msg: str = Field(description="One sentence for people.")
    lost: int = Field(description="Steps that could not be kept.")


class TurnDetail(TurnSummary):
    """One turn with its steps."""

    spans: list[TraceStep] = Field(description="By their start; the turn itself is among them.")


class TracesAnswer(BaseModel):
    """The latest turns."""

    turns: list[TurnSummary] = Field(description="Newest first.")


class Traces(Protocol):
    """Recorded turns. Both methods raise `AgentError`."""

    async def latest(self, limit: int, session_id: str) -> TracesAnswer:
        """Lists at most `limit` (1 to 500) of the latest turns; an empty `session_id` is every conversation."""

    async def find(self, turn_id: str) -> TurnDetail:
        """Returns the turn whose id begins so; `NOT_FOUND` if there is none or more than one."""
