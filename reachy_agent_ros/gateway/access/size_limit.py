"""How much a request may bring."""

from __future__ import annotations

from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.gateway.problem import refusal

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
