"""Talking to the agent in writing: one answer, or a stream of what happens."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.sse import EventSourceResponse, ServerSentEvent
from pydantic import BaseModel, Field

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Caller, Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.hang_up import unless_hung_up
from reachy_agent_ros.gateway.ports.conversation import Answer, Step
from reachy_agent_ros.gateway.problem import problem_of
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(tags=["conversation"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
TheCaller = Annotated[Caller, Depends(requires(Role.CALLER))]

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


@router.post("/chat")
async def chat(connection: Request, request: ChatRequest, gateway: TheGateway, caller: TheCaller) -> ChatAnswer:
    """Says something to the robot and waits for all that comes of it; whoever hangs up cancels the turn."""
    return _told(await unless_hung_up(connection, _converse(request, gateway, caller, lambda _step: None)))


@router.post("/chat/stream", response_class=EventSourceResponse)
async def chat_stream(request: ChatRequest, gateway: TheGateway, caller: TheCaller) -> AsyncIterator[ServerSentEvent]:
    """The same as server-sent events: each step as it happens, and `answer` or `problem` at the end.

    A turn that waits for the turns before it begins with the event `queued`. Words that stop the robot never wait.
    Whoever hangs up cancels the turn.
    """
    steps: asyncio.Queue[Step | None] = asyncio.Queue()
    turn = asyncio.ensure_future(_converse(request, gateway, caller, steps.put_nowait))
    turn.add_done_callback(lambda _turn: steps.put_nowait(None))
    try:
        while (step := await steps.get()) is not None:
            yield ServerSentEvent(event=step.kind.value, data=_shown(step))
        yield _end(turn)
    finally:
        turn.cancel()


async def _converse(request: ChatRequest, gateway: Gateway, caller: Caller, watch: Callable[[Step], None]) -> Answer:
    return await gateway.conversation.converse(
        request.message,
        request.session_id,
        watch,
        speak=request.speak,
        allowance=request.time_allowance,
        asked_by=caller.principal,
    )


def _shown(step: Step) -> dict[str, str]:
    return {"text": step.text, "name": step.name, "arguments": step.arguments}


def _end(turn: asyncio.Future[Answer]) -> ServerSentEvent:
    try:
        return ServerSentEvent(event="answer", data=_told(turn.result()).model_dump())
    except AgentError as error:
        return ServerSentEvent(event="problem", data=problem_of(error).model_dump())


def _told(answer: Answer) -> ChatAnswer:
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
