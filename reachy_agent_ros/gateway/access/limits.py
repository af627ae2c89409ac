"""Limits of requests: how often each caller may ask, and how much a request may bring."""

from __future__ import annotations

import math
import time
from http import HTTPStatus

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.problem import refusal

RATE = "200/second"
"""Twice what the busiest program here asks for."""


class RateLimit:
    """Counts, in a moving window, and separately for each caller.

    Args:
        rate: Such as "200/second" or "5000/minute".

    Raises:
        AgentError: `INVALID_ARGUMENTS`: no rate.
    """

    def __init__(self, rate: str = RATE) -> None:
        try:
            self._rate = parse(rate)
        except ValueError:
            message = f"{rate!r:.60} is no rate; a right one is {RATE}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from None
        self._limiter = MovingWindowRateLimiter(MemoryStorage())

    async def wait(self, caller: str) -> int:
        """Counts a request. Returns 0 if it is within the rate, else the s after which to ask again."""
        if await self._limiter.hit(self._rate, caller):
            return 0
        window = await self._limiter.get_window_stats(self._rate, caller)
        return max(1, math.ceil(window.reset_time - time.time()))


LARGEST_BODY = 16 << 20
"""B; eight minutes of speech as the robot hears it, or a large photo."""


class SizeLimit:
    """Refuses larger bodies: those that say so at once, others when they have sent as much.

    Starlette's own middleware answers in plain text, and this API answers in problem documents only.

    Args:
        app: What is behind it.
        largest: B.
    """

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if int(Headers(scope=scope).get("content-length", "0")) > self._largest:
            await self._refusal()(scope, receive, send)
            return
        taken, began = 0, False

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._largest:
                raise _TooLargeError(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
            return message

        async def watched(message: Message) -> None:
            nonlocal began
            began = True
            await send(message)

        try:
            await self._app(scope, counted, watched)
        except _TooLargeError:  # where no path's own handlers were about
            if not began:
                await self._refusal()(scope, receive, send)

    def _refusal(self) -> ASGIApp:
        return refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"A request may have {self._largest} bytes.")


class _TooLargeError(HTTPException):
    """An HTTP exception, because FastAPI lets only these through while it reads a body."""
