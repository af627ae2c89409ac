"""Feedback and rewards, over HTTP and live over a WebSocket."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Query, Request, WebSocket, WebSocketDisconnect
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.callers import Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.feedback import Opinion, Worth
from reachy_agent_ros.gateway.problem import problem_of
from reachy_agent_ros.gateway.request_handling import StrictRoute, accept

router = APIRouter(tags=["feedback"], route_class=StrictRoute)

MAX_TEXT = 2_000
MAX_NAME = 100

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Since = Annotated[float, Query(ge=0.0, le=1e12, description="Seconds since the epoch; only what was given after.")]
Limit = Annotated[int, Query(ge=1, le=1000, description="At most so many.")]


class FeedbackRequest(BaseModel):
    """A judgement: words, a number, or both."""

    episode_id: str = Field("", max_length=36, description="Turn it is about (`trace_id` of a chat); empty: the last.")
    feedback_text: str = Field("", max_length=MAX_TEXT, description="In your own words.")
    rating: float | None = Field(None, ge=-1.0, le=1.0, description="From -1 to 1; null: the words tell.")
    person: str = Field("", max_length=MAX_NAME, description="Who gives it.")


class FeedbackAnswer(BaseModel):
    """What a judgement is worth."""

    status: Literal["stored", "stopped"] = Field(
        description="`stored`: it is on disk. `stopped`: the robot was stopped, and nothing was there to judge."
    )
    reward: float = Field(description="From -1 to 1.")
    sign: Literal[-1, 0, 1]
    confidence: float = Field(description="From 0 to 1.")
    axes: list[str] = Field(description="Corrections it asks for, as docs/learning.md lists them.")
    stop: bool = Field(description="Whether it stopped the robot, as the robot confirmed.")
    judged: str = Field(description="Skill or tool it is about; empty for none.")
    episode_id: str = Field(description="Turn it is about; empty for none.")
    policy_version: str = Field(description="Version that acted.")
    question: str = Field(description="What the robot would like to know; empty for nothing.")
    feedback_id: str = Field(description="Of the judgement; empty where nothing was stored.")


class RewardEntry(BaseModel):
    """What one act got of one judgement."""

    model_config = ConfigDict(from_attributes=True)

    feedback_id: str
    act_id: str
    skill: str = Field(description="Skill or tool.")
    given: float = Field(description="Seconds since the epoch.")
    weight: float = Field(description="Of the judgement that the act gets, 0 to 1.")
    sign: Literal[-1, 0, 1]
    rating: float = Field(description="From -1 to 1.")
    confidence: float = Field(description="From 0 to 1.")
    axes: list[str]
    stop: bool
    policy_version: str


class JudgementModel(BaseModel):
    """A judgement that is stored."""

    model_config = ConfigDict(from_attributes=True)

    feedback_id: str
    source: Literal["text", "speech", "button", "rating", "implicit"]
    text: str
    given: float = Field(description="Seconds since the epoch.")
    turn_id: str = Field(description="Turn it was said to be about; empty if none was named.")
    rating: float | None = Field(description="As the person gave it; null where they gave none.")
    person: str
    rewards: list[RewardEntry] = Field(description="What was made of it, the act that got most first.")


class JudgementsAnswer(BaseModel):
    """Latest judgements."""

    feedback: list[JudgementModel] = Field(description="Newest first.")


class RewardsAnswer(BaseModel):
    """Latest rewards."""

    rewards: list[RewardEntry] = Field(description="Newest first.")


@router.post("/feedback", dependencies=[Depends(requires(Role.OPERATOR))])
async def give(asked: FeedbackRequest, request: Request, gateway: TheGateway) -> FeedbackAnswer:
    """Judges what the robot did; on disk when it is answered. A stop in the text stops the robot first."""
    return await judged(asked, gateway, request.state.stopped)


@router.get("/feedback", dependencies=[Depends(requires(Role.OBSERVER))])
async def judgements(gateway: TheGateway, since: Since = 0.0, limit: Limit = 100) -> JudgementsAnswer:
    """Judgements that were given, and what was made of them."""
    found = await gateway.feedback.judgements(since, limit)
    return JudgementsAnswer.model_validate({"feedback": [asdict(one) for one in found]})


@router.get("/rewards", dependencies=[Depends(requires(Role.OBSERVER))])
async def rewards(
    gateway: TheGateway,
    since: Since = 0.0,
    limit: Limit = 100,
    skill: Annotated[str, Query(max_length=100, description="Only of this one.")] = "",
) -> RewardsAnswer:
    """Rewards that were given, for a curve."""
    found = await gateway.feedback.rewards(since, limit, skill)
    return RewardsAnswer.model_validate({"rewards": [asdict(one) for one in found]})


async def judged(asked: FeedbackRequest, gateway: Gateway, stopped: bool) -> FeedbackAnswer:
    """Has a judgement stored.

    Args:
        asked: What a person gave.
        gateway: Where to.
        stopped: Whether it stopped the robot already.

    Raises:
        AgentError: It cannot be stored, or there is nothing to judge and it was no stop; it was a stop, and the bridge
            does not confirm that it reached the robot.
    """
    opinion = Opinion(asked.feedback_text, asked.rating, asked.episode_id, asked.person)
    try:
        answer = _told(await gateway.feedback.give(opinion))
    except AgentError as error:
        if not stopped or error.code not in _NOT_STORED:
            raise
        answer = STOPPED
    if answer.stop:
        await gateway.body.stop()  # what was sent at once needs no answer; this one is the bridge's
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
"""What a stop is worth that judged nothing."""


def _told(worth: Worth) -> FeedbackAnswer:
    return FeedbackAnswer(
        status="stored" if worth.stored else "stopped",
        reward=worth.rating,
        sign=_sign(worth.sign),
        confidence=worth.confidence,
        axes=list(worth.axes),
        stop=worth.stop,
        judged=worth.skill,
        episode_id=worth.turn_id,
        policy_version=worth.policy_version,
        question=worth.question,
        feedback_id=worth.feedback_id,
    )


def _sign(number: int) -> Literal[-1, 0, 1]:
    return 1 if number > 0 else -1 if number < 0 else 0


live_router = APIRouter(tags=["feedback"], dependencies=[Depends(requires(Role.OPERATOR))], route_class=StrictRoute)

CAPACITY = 64
"""Judgements of one socket that wait to be stored; more are refused, except stops."""

_TOO_MANY = AgentError(ErrorCode.RATE_EXCEEDED, "Judgements come faster than they are stored; this one was not taken.")


@live_router.websocket("/ws/live_feedback")
async def live_feedback(socket: WebSocket, gateway: Annotated[Gateway, Depends(gateway_of)]) -> None:
    """Takes "stop", "good", "great", "bad" and any other words as text, or the body of `POST /feedback` as JSON.

    Each is answered in its turn with what `POST /feedback` answers, failures too. A stop acts as it comes, before
    anything is parsed and whatever waits.
    """
    await accept(socket)
    waiting: asyncio.Queue[tuple[str, bool]] = asyncio.Queue()
    answering = asyncio.ensure_future(_answer_all(socket, gateway, waiting))
    try:
        while True:
            frame = await _text(socket)
            stopped = gateway.feedback.stop_if_urgent(frame)
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
