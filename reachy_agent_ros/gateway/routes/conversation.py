"""Routes for conversations: chat (streamed or not), sessions and memory."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from http import HTTPStatus
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.callers import Caller, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.conversation import (
    ChatAnswer,
    ChatRequest,
    DeletedAnswer,
    HistoryAnswer,
    SessionAnswer,
    SessionsAnswer,
    TurnEvent,
)
from reachy_agent_ros.gateway.models.memory import ForgottenAnswer, MemoryAnswer, MemoryKind
from reachy_agent_ros.gateway.problem import problem_of
from reachy_agent_ros.gateway.request_handling import StrictRoute, cancel_on_disconnect
from reachy_agent_ros.gateway.roles import Role

chat_router = APIRouter(tags=["conversation"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
TheCaller = Annotated[Caller, Depends(requires(Role.CALLER))]

session_router = APIRouter(
    tags=["conversation"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)

SessionId = Annotated[str, Path(min_length=1, max_length=100, description="Name of the conversation.")]

memory_router = APIRouter(prefix="/memory", tags=["memory"], route_class=StrictRoute)


@chat_router.post("/chat")
async def chat(connection: Request, request: ChatRequest, gateway: TheGateway, caller: TheCaller) -> ChatAnswer:
    """Sends a message to the robot and waits for the result of the turn. Disconnecting cancels the turn."""
    turn = gateway.conversation.converse(request, lambda _step: None, caller.principal)
    return await cancel_on_disconnect(connection, turn)


@chat_router.post("/chat/stream", response_class=EventSourceResponse)
async def chat_stream(request: ChatRequest, gateway: TheGateway, caller: TheCaller) -> AsyncIterator[ServerSentEvent]:
    """Sends a message to the robot and receives server-sent events: each step, then `answer` or `problem`.

    A turn that waits for earlier turns starts with the event `queued`. A message that stops the robot never waits.
    Disconnecting cancels the turn.
    """
    steps: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
    turn = asyncio.ensure_future(gateway.conversation.converse(request, steps.put_nowait, caller.principal))
    turn.add_done_callback(lambda _turn: steps.put_nowait(None))
    try:
        while (step := await steps.get()) is not None:
            yield ServerSentEvent(event=step.kind.value, data=step.model_dump(exclude={"kind"}))
        yield _end(turn)
    finally:
        turn.cancel()


@session_router.get("/sessions")
async def sessions(gateway: TheGateway) -> SessionsAnswer:
    """Lists all conversations."""
    return await gateway.conversation.sessions()


@session_router.get("/session/{session_id}")
async def session(session_id: SessionId, gateway: TheGateway) -> SessionAnswer:
    """Returns the summary of a conversation."""
    return await gateway.conversation.session(session_id)


@session_router.get("/session/{session_id}/history")
async def history(session_id: SessionId, gateway: TheGateway) -> HistoryAnswer:
    """Returns the history of a conversation."""
    return await gateway.conversation.history(session_id)


@session_router.post(
    "/session/{session_id}/resume",
    dependencies=[Depends(requires(Role.OPERATOR))],
    status_code=HTTPStatus.NO_CONTENT,
)
async def resume(session_id: SessionId, gateway: TheGateway) -> None:
    """Selects the conversation that spoken messages continue. A new name starts a conversation."""
    await gateway.conversation.resume(session_id)


@session_router.delete("/session/{session_id}", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def delete(session_id: SessionId, gateway: TheGateway) -> DeletedAnswer:
    """Deletes a conversation and its plan, and erases them from the disk."""
    return await gateway.conversation.delete(session_id)


@memory_router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def find(
    gateway: TheGateway,
    query: Annotated[str, Query(max_length=2_000, description="Search words; empty: the newest entries.")] = "",
    kind: Annotated[list[MemoryKind] | None, Query(description="Only entries of this kind; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Maximum number of entries.")] = 50,
) -> MemoryAnswer:
    """Searches the robot's memory by words. In a conversation, the robot also searches by meaning."""
    return await gateway.memories.find(query, kind or (), limit)


@memory_router.delete("/{number}", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def forget(number: Annotated[int, Path(ge=1, le=2**53)], gateway: TheGateway) -> ForgottenAnswer:
    """Deletes a fact or an episode and erases it from the disk. To delete part of a file, delete the file."""
    return await gateway.memories.forget(number)


def _end(turn: asyncio.Future[ChatAnswer]) -> ServerSentEvent:
    try:
        return ServerSentEvent(event="answer", data=turn.result().model_dump())
    except AgentError as error:
        return ServerSentEvent(event="problem", data=problem_of(error).model_dump())
