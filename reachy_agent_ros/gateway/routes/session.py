"""Conversations that were held."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.access.role import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of

router = APIRouter(prefix="/session", tags=["conversation"], dependencies=[Depends(requires(Role.OBSERVER))])

SessionId = Annotated[str, Path(min_length=1, max_length=100, description="Name of the conversation.")]


class SessionAnswer(BaseModel):
    """A conversation."""

    session_id: str
    created_at: float = Field(description="Seconds since the epoch.")
    changed_at: float = Field(description="Likewise.")
    message_count: int = Field(description="Sentences of the person in it.")
    active_agent: str = Field(description="Who answered last, empty where nobody did.")


class Message(BaseModel):
    """One thing that was said."""

    role: str = Field(description="`user`, `assistant` or `tool`.")
    content: str
    timestamp: float | None = Field(description="Seconds since the epoch; null where it was not kept.")
    agent: str = Field(description="Who said it; empty for a person.")


class HistoryAnswer(BaseModel):
    """All that was said in a conversation."""

    messages: list[Message] = Field(description="Oldest first.")


@router.get("/{session_id}")
async def session(session_id: SessionId, gateway: Annotated[Gateway, Depends(gateway_of)]) -> SessionAnswer:
    """What is known of a conversation."""
    found = await gateway.conversation.session(session_id)
    return SessionAnswer(
        session_id=found.session_id,
        created_at=found.created_at,
        changed_at=found.changed_at,
        message_count=found.turns,
        active_agent=found.active_agent,
    )


@router.get("/{session_id}/history")
async def history(session_id: SessionId, gateway: Annotated[Gateway, Depends(gateway_of)]) -> HistoryAnswer:
    """What was said in it."""
    said = await gateway.conversation.history(session_id)
    return HistoryAnswer(
        messages=[
            Message(role=each.role, content=each.content, timestamp=each.timestamp, agent=each.agent) for each in said
        ]
    )
