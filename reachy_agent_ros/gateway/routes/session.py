"""Conversations that were held."""

from __future__ import annotations

from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path
from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.conversation import SessionSummary
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(tags=["conversation"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
SessionId = Annotated[str, Path(min_length=1, max_length=100, description="Name of the conversation.")]


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


class Message(BaseModel):
    """One thing that was said."""

    role: str = Field(description="`user`, `assistant`, or `tool` for a call and for its result, which begins with ->.")
    content: str = Field(description="In words.")
    timestamp: float | None = Field(description="Seconds since the epoch; null where it was not kept.")
    agent: str = Field(description="Who said it; empty for a person.")


class HistoryAnswer(BaseModel):
    """All that was said in a conversation."""

    messages: list[Message] = Field(description="Oldest first.")


class DeletedAnswer(BaseModel):
    """What was deleted."""

    session_id: str
    erased: bool = Field(
        description="Whether no byte of it is left on the disk; false while another process reads the file, and then "
        "it goes when that is opened next."
    )


@router.get("/sessions")
async def sessions(gateway: TheGateway) -> SessionsAnswer:
    """All conversations."""
    return SessionsAnswer(sessions=[_told(each) for each in await gateway.conversation.sessions()])


@router.get("/session/{session_id}")
async def session(session_id: SessionId, gateway: TheGateway) -> SessionAnswer:
    """What is known of a conversation."""
    return _told(await gateway.conversation.session(session_id))


@router.get("/session/{session_id}/history")
async def history(session_id: SessionId, gateway: TheGateway) -> HistoryAnswer:
    """What was said and done in it."""
    return HistoryAnswer.model_validate({"messages": map(asdict, await gateway.conversation.history(session_id))})


@router.post(
    "/session/{session_id}/resume",
    dependencies=[Depends(requires(Role.OPERATOR))],
    status_code=HTTPStatus.NO_CONTENT,
)
async def resume(session_id: SessionId, gateway: TheGateway) -> None:
    """Makes a conversation the one that spoken sentences go on with; a name that is new begins one."""
    await gateway.conversation.resume(session_id)


@router.delete("/session/{session_id}", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def delete(session_id: SessionId, gateway: TheGateway) -> DeletedAnswer:
    """Deletes a conversation and its plan so that they are gone from the disk."""
    return DeletedAnswer(session_id=session_id, erased=await gateway.conversation.delete(session_id))


def _told(found: SessionSummary) -> SessionAnswer:
    fields = asdict(found)
    return SessionAnswer.model_validate({**fields, "message_count": fields.pop("turns")})
