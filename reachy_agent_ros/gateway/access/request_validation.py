"""What every request must pass: a well-formed path and headers, a known origin and host, and limits of size and rate.

Only the gateway's own web pages may call, and those that were listed, so that no page of a stranger can use the browser
of somebody who may; and no request passes that two readers could understand differently.
"""

from __future__ import annotations

import ipaddress
import math
import re
import socket
import time
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import unquote_plus, urlsplit

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import MovingWindowRateLimiter
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.problem import refusal, refuse

ONCE = ("host", "origin", "authorization", "content-type")
"""Headers of which the first or the last would count, depending on who reads."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

RATE = "200/second"
"""Twice what the busiest program here asks for."""

LARGEST_BODY = 16 << 20
"""B; eight minutes of speech as the robot hears it, or a large photo."""


class OriginCheck:
    """Looks at `Host`, `Origin` and `Sec-Fetch-Site` of every request and WebSocket.

    `Host` must be an address or a name of this machine. Whoever rebinds a name of theirs to this address (DNS
    rebinding) has their own name in it; an address cannot be rebound. `Origin` must be the gateway's own or one that
    was listed. Programs send none; a browser leaves it out only where nothing but a look is asked for, which
    `Sec-Fetch-Site` then tells of.

    Args:
        app: What is behind it.
        origins: Others whose pages may call, such as `https://robot.example`; their hosts are names of the gateway too,
            for one that is reached through a proxy.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._app = app
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        listed = {urlsplit(origin).hostname or "" for origin in self._origins}
        self._names = frozenset({"localhost", own, f"{own}.local", *listed} - {""})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        if wrong := scope["type"] != "lifespan" and self._wrong(headers, scope["path"]):
            await refuse(scope, receive, send, HTTPStatus.FORBIDDEN, wrong)
            return
        await self._app(scope, receive, send)

    def _wrong(self, headers: Headers, path: str) -> str:
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            return "This name is not one of the robot's."
        origin = headers.get("origin", "").lower()
        if origin:
            known = _authority(origin) == host or origin in self._origins
            return "" if known else "Pages of this origin may not call."
        # Links to the console from elsewhere are fine; its data in others' pages, such as the camera's, are not.
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        embedded = path.startswith("/api/") or headers.get("sec-fetch-mode") != "navigate"
        return "Pages of other origins may not call." if elsewhere and embedded else ""

    def _is_ours(self, host: str) -> bool:
        try:
            name = urlsplit(f"//{host}").hostname or ""
        except ValueError:
            return False
        if name.rstrip(".") in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class WellFormed:
    """Looks at the path, the query and the headers of every request and WebSocket.

    A control character in a path is refused, because names end at a NUL in the graph behind the gateway: a name that is
    checked here would be another one there.

    Args:
        app: What is behind it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] != "lifespan" and (wrong := _malformed(scope)):
            await refuse(scope, receive, send, HTTPStatus.BAD_REQUEST, wrong)
            return
        await self._app(scope, receive, send)


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


def _authority(origin: str) -> str:
    """Host and port of an origin; empty where it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _malformed(scope: Scope) -> str:
    headers = Headers(scope=scope)
    for name in ONCE:
        if len(headers.getlist(name)) > 1:
            return f"A request has one {name} header."
    if _CONTROL.search(scope["path"]) or _CONTROL.search(unquote_plus(scope["query_string"].decode("latin-1"))):
        return "A path or query has no control characters."
    return ""


class _TooLargeError(HTTPException):
    """An HTTP exception, because FastAPI lets only these through while it reads a body."""
