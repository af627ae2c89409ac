"""Recorded turns. Each turn has a summary and steps."""

from __future__ import annotations

from typing import Protocol

from pydantic import BaseModel, Field


class TraceStep(BaseModel):
    """Step of a turn."""

    span: int = Field(description="Number within the turn; 0 is the turn itself.")
    parent: int = Field(description="Number of the parent span.")
    kind: int = Field(
        description="0 turn, 1 hearing, 2 reflex, 3 model, 4 tool, 5 handoff, 6 approval, 7 speech, 8 guardrail."
    )
    name: str = Field(description="Name of the tool, model, agent or rule.")
    start: float = Field(description="Start time, seconds after the start of the turn; negative for hearing.")
    duration: float = Field(description="Duration, seconds.")
    input_tokens: int = Field(description="Number of tokens that a model read.")
    output_tokens: int = Field(description="Number of tokens that a model wrote.")
    arguments_json: str = Field(description="Arguments of a tool call.")
    summary: str = Field(description="One-line summary for people.")
    error_code: int = Field(description="Number of the error; 0 without an error.")
    error_msg: str = Field(description="Error message for people.")


class TurnSummary(BaseModel):
    """Summary of a turn."""

    turn_id: str
    session_id: str = Field(description="Conversation of the turn.")
    began: float = Field(description="Start time, seconds since the epoch.")
    heard: str = Field(description="Message of the person, if known.")
    reply: str = Field(description="Reply of the robot.")
    agent: str = Field(description="Agent that answered; empty if no agent answered.")
    duration: float | None = Field(description="Duration, seconds; null while the turn is running.")
    input_tokens: int = Field(description="Number of tokens that models read.")
    output_tokens: int = Field(description="Number of tokens that models wrote.")
    tools: list[str] = Field(description="Names of the called tools, in order.")
    error_code: int = Field(description="Number of the error; 0 without an error.")
    error_msg: str = Field(description="Error message for people.")
    lost: int = Field(description="Number of steps that could not be stored.")


class TurnDetail(TurnSummary):
    """Turn with its steps."""

    spans: list[TraceStep] = Field(description="Steps in the order of their start, including the turn itself.")


class TracesAnswer(BaseModel):
    """List of the latest turns."""

    turns: list[TurnSummary] = Field(description="Turns, newest first.")


class Traces(Protocol):
    """Service for recorded turns. Both methods raise `AgentError`."""

    async def latest(self, limit: int, session_id: str) -> TracesAnswer:
        """Returns at most `limit` (1 to 500) of the latest turns. An empty `session_id` selects all conversations."""

    async def find(self, turn_id: str) -> TurnDetail:
        """Returns the turn whose id starts with `turn_id`. Raises `NOT_FOUND` unless exactly one turn matches."""
