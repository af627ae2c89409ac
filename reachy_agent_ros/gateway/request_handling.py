"""Request helpers: strict JSON, file uploads, WebSocket subprotocols, repeated bodies, cancellation on disconnect."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from http import HTTPStatus
from json import JSONDecodeError
from typing import Any, TypeVar

from fastapi import Request, Response
from fastapi.routing import APIRoute
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.types import Message, Receive
from starlette.websockets import WebSocket

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import strict_json


class StrictRoute(APIRoute):
    """Route that parses JSON with `strict_json`, because two parsers could interpret duplicate keys differently."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """Overrides `APIRoute.get_route_handler`."""
        handle = super().get_route_handler()

        async def handle_strictly(request: Request) -> Response:
            return await handle(_StrictRequest(request.scope, request.receive))

        return handle_strictly


class _StrictRequest(Request):
    async def json(self) -> Any:
        body = await self.body()
        try:
            return strict_json(body)
        except JSONDecodeError:
            raise
        except ValueError as error:
            raise JSONDecodeError(str(error), body.decode(errors="replace"), 0) from None


FORM = "multipart/form-data"

RAW = "application/octet-stream"

BINARY = {"schema": {"type": "string", "format": "binary"}}
"""OpenAPI description of a binary body."""

_MOST_PARTS = 10


@dataclass(frozen=True)
class Upload:
    """Uploaded file with its form fields.

    Attributes:
        data: Content of the file; empty if there is none.
        fields: Text fields of the form.
    """

    data: bytes
    fields: dict[str, str]


def media_type(request: Request) -> str:
    """Returns the media type of a request without its parameters, or "" if the request states no media type."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def uploaded(request: Request, field: str) -> Upload:
    """Returns the uploaded file of a form.

    Args:
        request: Request with a body of media type `FORM`.
        field: Name of the part that contains the file.

    Raises:
        HTTPException: 400 if the form is malformed.
    """
    async with request.form(max_files=_MOST_PARTS, max_fields=_MOST_PARTS) as form:
        file = form.get(field)
        data = await file.read() if isinstance(file, UploadFile) else b""
        return Upload(data, {name: value for name, value in form.multi_items() if isinstance(value, str)})


def unsupported(sent: str, taken: str) -> HTTPException:
    """Returns the error for an unsupported media type.

    Args:
        sent: Media type of the request.
        taken: Supported media types, in words.
    """
    return HTTPException(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"Unsupported media type {sent or 'none'!r:.100}. {taken}.")


PROTOCOL = "reachy.v1"
"""Subprotocol of all WebSockets. A client may also offer one that carries a token, which is never echoed."""


async def accept(socket: WebSocket) -> None:
    """Accepts a WebSocket. Selects `PROTOCOL` if the client offers it, as browsers require."""
    await socket.accept(PROTOCOL if PROTOCOL in socket.scope.get("subprotocols", []) else None)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Returns a receive channel that replays the body, then continues with the original channel.

    Args:
        body: Complete body of the request.
        receive: Receive channel of the connection.
    """
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replaying() -> Message:
        return waiting.pop() if waiting else await receive()

    return replaying


T = TypeVar("T")


async def cancel_on_disconnect(request: Request, work: Awaitable[T]) -> T:
    """Runs an operation for a request, and cancels the operation when the caller disconnects.

    Args:
        request: Request whose body has been read.
        work: Operation to run.

    Raises:
        AgentError: `CANCELED`: the caller has disconnected. Only a repeated idempotency key will receive it.
    """
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_disconnected(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise AgentError(ErrorCode.CANCELED, "The client disconnected before the request finished.")
        return task.result()
    finally:
        leaving.cancel()
        if task.cancel():
            await asyncio.wait({task})


async def _disconnected(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
