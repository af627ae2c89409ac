"""Judging while the robot acts, over a socket that stays open."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Annotated, Any

from fastapi import APIRouter, Depends, WebSocket, WebSocketDisconnect
from pydantic import ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.problem import problem_of
from reachy_agent_ros.gateway.routes.feedback import FeedbackRequest, judged
from reachy_agent_ros.gateway.strict_route import StrictRoute
from reachy_agent_ros.gateway.subprotocol import accept

router = APIRouter(tags=["feedback"], dependencies=[Depends(requires(Role.OPERATOR))], route_class=StrictRoute)

CAPACITY = 64
"""Judgements of one socket that wait to be stored; more are refused, except stops."""

_TOO_MANY = AgentError(ErrorCode.RATE_EXCEEDED, "Judgements come faster than they are stored; this one was not taken.")


@router.websocket("/ws/live_feedback")
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
