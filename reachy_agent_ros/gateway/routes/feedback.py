"""Routes for feedback and rewards, over HTTP and live over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.callers import caller_of, requires
from reachy_agent_ros.gateway.feedback_text import unparsed_feedback_text
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.models.feedback import FeedbackAnswer, FeedbackRequest, JudgementsAnswer, RewardsAnswer
from reachy_agent_ros.gateway.problem import problem_of
from reachy_agent_ros.gateway.request_handling import StrictRoute, accept
from reachy_agent_ros.gateway.roles import Role

router = APIRouter(tags=["feedback"], route_class=StrictRoute)

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Since = Annotated[float, Query(ge=0.0, le=1e12, description="Only entries after this time, seconds since the epoch.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="Maximum number of entries.")]


@router.post("/feedback", dependencies=[Depends(requires(Role.OPERATOR))])
async def give(asked: FeedbackRequest, request: Request, gateway: TheGateway) -> FeedbackAnswer:
    """Stores feedback on an action; it is on disk when this returns. A stop in the text stops the robot first."""
    return await judged(asked, gateway, request.state.stopped)


@router.get("/feedback", dependencies=[Depends(requires(Role.OBSERVER))])
async def judgements(gateway: TheGateway, since: Since = 0.0, limit: Limit = 100) -> JudgementsAnswer:
    """Lists feedback and the rewards derived from it."""
    return await gateway.feedback.judgments(since, limit)


@router.get("/rewards", dependencies=[Depends(requires(Role.OBSERVER))])
async def rewards(
    gateway: TheGateway,
    since: Since = 0.0,
    limit: Limit = 100,
    skill: Annotated[str, Query(max_length=100, description="Only this skill.")] = "",
) -> RewardsAnswer:
    """Lists rewards, for example for a learning curve."""
    return await gateway.feedback.rewards(since, limit, skill)


async def judged(asked: FeedbackRequest, gateway: Gateway, stopped: bool) -> FeedbackAnswer:
    """Stores feedback, and confirms the stop if it contained one.

    Args:
        asked: Feedback from a person.
        gateway: Gateway that stores the feedback.
        stopped: Whether the feedback has already stopped the robot.

    Raises:
        AgentError: The feedback cannot be stored, there is no action to judge, or the bridge does not confirm the stop.
            A stop needs neither an action nor the node `feedback`.
    """
    try:
        answer = await gateway.feedback.give(asked)
    except AgentError as error:
        if not stopped or error.code not in _NOT_STORED:
            raise
        answer = STOPPED
    if answer.stop:
        await gateway.robot.stop()  # the immediate stop has no response, but this call waits for the bridge
    return answer


_NOT_STORED = (ErrorCode.NO_DATA, ErrorCode.SERVER_UNAVAILABLE, ErrorCode.SERVER_LOST)

STOPPED = FeedbackAnswer(
    status="stopped",
    reward=-1.0,
    sign=-1,
    confidence=1.0,
    axes=[],
    stop=True,
    judged="",
    episode_id="",
    policy_version="",
    question="",
    feedback_id="",
)
"""Answer to a stop that was not stored: there was no action to judge, or the node `feedback` did not run."""


live_router = APIRouter(tags=["feedback"], dependencies=[Depends(requires(Role.OPERATOR))], route_class=StrictRoute)

CAPACITY = 64
"""Maximum number of feedback messages of one socket that wait to be stored. More are rejected, except stops."""

_TOO_MANY = AgentError(ErrorCode.RATE_EXCEEDED, "Too much feedback at once: this item was dropped. Try again.")


@live_router.websocket("/ws/live_feedback")
async def live_feedback(socket: WebSocket, gateway: Annotated[Gateway, Depends(gateway_of)]) -> None:
    """Receives feedback as text ("stop", "good", "great", "bad" or any words) or as the JSON body of `POST /feedback`.

    Each message gets the response of `POST /feedback`, in order, including failures. Only messages beyond
    `CAPACITY` are rejected at once. A stop takes effect at once, before the message is parsed and before any waiting
    message.
    """
    await accept(socket)
    waiting: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()
    answering = asyncio.ensure_future(_answer_all(socket, gateway, waiting))
    try:
        while True:
            frame = await _text(socket)
            who = caller_of(socket).principal.name
            stopped = gateway.feedback.stop_if_urgent(unparsed_feedback_text(frame), who)
            if stopped or waiting.qsize() < CAPACITY:
                waiting.put_nowait((frame, stopped))
            else:
                await socket.send_json(problem_of(_TOO_MANY).model_dump())
    except (WebSocketDisconnect, RuntimeError):
        pass
    finally:
        answering.cancel()


async def _answer_all(socket: WebSocket, gateway: Gateway, waiting: asyncio.Queue[tuple[str, bool]]) -> None:
    with contextlib.suppress(WebSocketDisconnect, RuntimeError):
        while True:
            frame, stopped = await waiting.get()
            await socket.send_json(await _answer(frame, stopped, gateway))


async def _text(socket: WebSocket) -> str:
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if text is not None else (message.get("bytes") or b"").decode(errors="replace")


async def _answer(frame: str, stopped: bool, gateway: Gateway) -> dict[str, Any]:
    try:
        return (await judged(_request(frame), gateway, stopped)).model_dump()
    except AgentError as error:
        return problem_of(error).model_dump()


def _request(frame: str) -> FeedbackRequest:
    try:
        found = strict_json(frame)
    except ValueError:
        found = None
    try:
        return FeedbackRequest.model_validate(found if isinstance(found, dict) else {"feedback_text": frame})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{where}: {first['msg']}.") from None
