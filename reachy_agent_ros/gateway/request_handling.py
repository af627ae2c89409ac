"""What routes do with a request: strict JSON, uploaded files, WebSocket subprotocols, and work that ends on hang-up."""

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
from starlette.websockets import WebSocket

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_json import strict_json


class StrictRoute(APIRoute):
    """Refuses a body in which a name stands twice: who checks it and who obeys it might read different ones."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """See `APIRoute`."""
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
"""A body of bytes in the description of a path."""

_MOST_PARTS = 10


@dataclass(frozen=True)
class Upload:
    """A file, and what came with it.

    Attributes:
        data: The file's content; empty where none came.
        fields: Of the form, besides the file.
    """

    data: bytes
    fields: dict[str, str]


def media_type(request: Request) -> str:
    """What a request says its body is, without parameters; empty where it says nothing."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower()


async def uploaded(request: Request, field: str) -> Upload:
    """The file of a form.

    Args:
        request: With a body of the media type `FORM`.
        field: Name of the part that holds the file.

    Raises:
        HTTPException: 400 for a form that cannot be read.
    """
    async with request.form(max_files=_MOST_PARTS, max_fields=_MOST_PARTS) as form:
        file = form.get(field)
        data = await file.read() if isinstance(file, UploadFile) else b""
        return Upload(data, {name: value for name, value in form.multi_items() if isinstance(value, str)})


def unsupported(sent: str, taken: str) -> HTTPException:
    """The refusal of a media type.

    Args:
        sent: What it is.
        taken: What would do, in words.
    """
    return HTTPException(
        HTTPStatus.UNSUPPORTED_MEDIA_TYPE, f"A body of {sent or 'no type'!r:.100} is not taken: {taken}."
    )


PROTOCOL = "reachy.v1"
"""The other one that may be offered carries a token and is never echoed."""


async def accept(socket: WebSocket) -> None:
    """Accepts a WebSocket, with its subprotocol where it offers it, as a browser demands."""
    await socket.accept(PROTOCOL if PROTOCOL in socket.scope.get("subprotocols", []) else None)


T = TypeVar("T")


async def unless_hung_up(request: Request, work: Awaitable[T]) -> T:
    """Does the work of a request, and cancels it when the caller hangs up.

    Args:
        request: Whose body was read already.
        work: What to do.

    Raises:
        AgentError: `CANCELED`: the caller is gone. Nobody sees it but who sends the same idempotency key again.
    """
    task = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_hung_up(request))
    try:
        await asyncio.wait({task, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise AgentError(ErrorCode.CANCELED, "Who asked for it hung up before it was done.")
        return task.result()
    finally:
        leaving.cancel()
        if task.cancel():
            await asyncio.wait({task})


async def _hung_up(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
