"""Conversations: chat, streamed or not, the sessions that are kept, and what the robot remembers."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import asdict
from http import HTTPStatus
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.callers import Caller, Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.agent import SessionSummary, TurnEvent, TurnOutcome
from reachy_agent_ros.gateway.problem import problem_of
from reachy_agent_ros.gateway.request_handling import StrictRoute, unless_hung_up

chat_router = APIRouter(tags=["conversation"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
TheCaller = Annotated[Caller, Depends(requires(Role.CALLER))]

MAX_MESSAGE = 10_000
"""Characters of a message."""

session_router = APIRouter(
    tags=["conversation"], dependencies=[Depends(requires(Role.OBSERVER))], route_class=StrictRoute
)

SessionId = Annotated[str, Path(min_length=1, max_length=100, description="Name of the conversation.")]

memory_router = APIRouter(prefix="/memory", tags=["memory"], route_class=StrictRoute)

MemoryKind = Literal["fact", "episode", "note", "document"]


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


@chat_router.post("/chat")
async def chat(connection: Request, request: ChatRequest, gateway: TheGateway, caller: TheCaller) -> ChatAnswer:
    """Says something to the robot and waits for all that comes of it; whoever hangs up cancels the turn."""
    return _told_answer(await unless_hung_up(connection, _converse(request, gateway, caller, lambda _step: None)))


@chat_router.post("/chat/stream", response_class=EventSourceResponse)
async def chat_stream(request: ChatRequest, gateway: TheGateway, caller: TheCaller) -> AsyncIterator[ServerSentEvent]:
    """The same as server-sent events: each step as it happens, and `answer` or `problem` at the end.

    A turn that waits for the turns before it begins with the event `queued`. Words that stop the robot never wait.
    Whoever hangs up cancels the turn.
    """
    steps: asyncio.Queue[TurnEvent | None] = asyncio.Queue()
    turn = asyncio.ensure_future(_converse(request, gateway, caller, steps.put_nowait))
    turn.add_done_callback(lambda _turn: steps.put_nowait(None))
    try:
        while (step := await steps.get()) is not None:
            yield ServerSentEvent(event=step.kind.value, data=_shown(step))
        yield _end(turn)
    finally:
        turn.cancel()


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


@session_router.get("/sessions")
async def sessions(gateway: TheGateway) -> SessionsAnswer:
    """All conversations."""
    return SessionsAnswer(sessions=[_told_session(each) for each in await gateway.conversation.sessions()])


@session_router.get("/session/{session_id}")
async def session(session_id: SessionId, gateway: TheGateway) -> SessionAnswer:
    """What is known of a conversation."""
    return _told_session(await gateway.conversation.session(session_id))


@session_router.get("/session/{session_id}/history")
async def history(session_id: SessionId, gateway: TheGateway) -> HistoryAnswer:
    """What was said and done in it."""
    return HistoryAnswer.model_validate({"messages": map(asdict, await gateway.conversation.history(session_id))})


@session_router.post(
    "/session/{session_id}/resume",
    dependencies=[Depends(requires(Role.OPERATOR))],
    status_code=HTTPStatus.NO_CONTENT,
)
async def resume(session_id: SessionId, gateway: TheGateway) -> None:
    """Makes a conversation the one that spoken sentences go on with; a name that is new begins one."""
    await gateway.conversation.resume(session_id)


@session_router.delete("/session/{session_id}", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def delete(session_id: SessionId, gateway: TheGateway) -> DeletedAnswer:
    """Deletes a conversation and its plan so that they are gone from the disk."""
    return DeletedAnswer(session_id=session_id, erased=await gateway.conversation.delete(session_id))


class MemoryItem(BaseModel):
    """One thing that is remembered."""

    id: int = Field(description="Never given twice.")
    kind: MemoryKind
    key: str = Field(description="A fact's name, the file of a note or document; empty for an episode.")
    text: str
    source: str = Field(description="Where it comes from.")
    created: float = Field(description="Seconds since the epoch.")
    participants: list[str] = Field(description="Who took part in an episode.")
    score: float | None = Field(description="How well its words answer the query, 0 to 1; null without a query.")


class MemoryAnswer(BaseModel):
    """What was found."""

    entries: list[MemoryItem] = Field(description="The best first; without a query the newest.")


class ForgottenAnswer(BaseModel):
    """What was forgotten."""

    forgotten: int = Field(description="Entries.")
    erased: bool = Field(
        description="Whether no byte of them is left on the disk; false while another process reads the file, and "
        "then they go when it is opened next."
    )


@memory_router.get("", dependencies=[Depends(requires(Role.OBSERVER))])
async def find(
    gateway: TheGateway,
    query: Annotated[str, Query(max_length=2_000, description="Words to look for; empty: the newest entries.")] = "",
    kind: Annotated[list[MemoryKind] | None, Query(description="Only these sorts; may be repeated.")] = None,
    limit: Annotated[int, Query(ge=1, le=100, description="Entries at most.")] = 50,
) -> MemoryAnswer:
    """What the robot remembers. It is searched by words; asked in a conversation it searches by meaning as well."""
    found = await gateway.memories.find(query, kind or (), limit)
    return MemoryAnswer.model_validate({"entries": [asdict(entry) for entry in found]})


@memory_router.delete("/{number}", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def forget(number: Annotated[int, Path(ge=1, le=2**53)], gateway: TheGateway) -> ForgottenAnswer:
    """Forgets a fact or an episode so that it is gone from the disk; a passage of a file goes with the file."""
    return ForgottenAnswer.model_validate(asdict(await gateway.memories.forget(number)))


async def _converse(
    request: ChatRequest, gateway: Gateway, caller: Caller, watch: Callable[[TurnEvent], None]
) -> TurnOutcome:
    return await gateway.conversation.converse(
        request.message,
        request.session_id,
        watch,
        speak=request.speak,
        allowance=request.time_allowance,
        asked_by=caller.principal,
    )


def _shown(step: TurnEvent) -> dict[str, str]:
    return {"text": step.text, "name": step.name, "arguments": step.arguments}


def _end(turn: asyncio.Future[TurnOutcome]) -> ServerSentEvent:
    try:
        return ServerSentEvent(event="answer", data=_told_answer(turn.result()).model_dump())
    except AgentError as error:
        return ServerSentEvent(event="problem", data=problem_of(error).model_dump())


def _told_answer(answer: TurnOutcome) -> ChatAnswer:
    return ChatAnswer(
        response=answer.reply,
        session_id=answer.session_id,
        agent_used=answer.agent,
        tools_called=list(answer.tools_called),
        trace_id=answer.turn_id,
        elapsed=answer.elapsed,
        input_tokens=answer.input_tokens,
        output_tokens=answer.output_tokens,
    )


def _told_session(found: SessionSummary) -> SessionAnswer:
    fields = asdict(found)
    return SessionAnswer.model_validate({**fields, "message_count": fields.pop("turns")})
