"""What happened in every turn, step by step."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query
from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(
    prefix="/traces", tags=["traces"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)

TheGateway = Annotated[Gateway, Depends(gateway_of)]


class Span(BaseModel):
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

    spans: list[Span] = Field(description="By their start; the turn itself is among them.")


class TracesAnswer(BaseModel):
    """The latest turns."""

    turns: list[TurnSummary] = Field(description="Newest first.")


@router.get("")
async def latest(
    gateway: TheGateway,
    limit: Annotated[int, Query(ge=1, le=200, description="Turns at most.")] = 20,
    session_id: Annotated[str, Query(max_length=100, description="Only of this conversation.")] = "",
) -> TracesAnswer:
    """The latest turns."""
    turns = await gateway.traces.latest(limit, session_id)
    return TracesAnswer.model_validate({"turns": [asdict(turn) for turn in turns]})


@router.get("/{turn_id}")
async def find(
    turn_id: Annotated[str, Path(min_length=1, max_length=36, description="The beginning of its id is enough.")],
    gateway: TheGateway,
) -> TurnDetail:
    """One turn with all its steps."""
    return TurnDetail.model_validate(asdict(await gateway.traces.find(turn_id)))
