"""Validation of every request: path, headers, origin, host and size.

Only the gateway's own pages and listed origins may call the API, so that no other web page can act through an
authorized user's browser. Requests that two parsers could interpret differently are rejected.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import unquote_plus, urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.gateway.problem import refusal, refuse

ONCE = ("host", "origin", "authorization", "content-type")
"""Headers that must not occur more than once, because parsers disagree on which one counts."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

LARGEST_BODY = 16 << 20
"""Maximum size of a request body, bytes: eight minutes of 16 kHz speech, or a large photo."""


def read_origins(text: str) -> tuple[str, ...]:
    """Parses origins separated by commas, such as `https://robot.example`.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if an origin is malformed.
    """
    origins = tuple(one.strip() for one in text.split(",") if one.strip())
    for origin in origins:
        try:
            urlsplit(origin)
        except ValueError as error:  # for example an unclosed bracket
            message = f"Invalid origin {origin!r:.80}: expected SCHEME://HOST, for example https://robot.example."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message) from error
    return origins


class OriginCheck:
    """Checks `Host`, `Origin` and `Sec-Fetch-Site` of every request and WebSocket.

    `Host` must be an IP address or a name of this machine, which prevents DNS rebinding: an attacker's page sends the
    attacker's host name. `Origin` must be the gateway's own origin or a listed one. Programs send no origin. Browsers
    omit it only for simple reads, for which `Sec-Fetch-Site` reveals the source.

    Args:
        app: Next ASGI application.
        origins: Other origins from `read_origins` whose pages may call the API. Their host names are also accepted in
            `Host`, for a gateway behind a proxy.
    """

    def __init__(self, app: ASGIApp, origins: Sequence[str] = ()) -> None:
        own = socket.gethostname().lower()
        self._app = app
        self._origins = frozenset(origin.lower().rstrip("/") for origin in origins)
        listed = {urlsplit(origin).hostname or "" for origin in self._origins}
        self._names = frozenset({"localhost", own, f"{own}.local", *listed} - {""})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
        headers = Headers(scope=scope) if scope["type"] in ("http", "websocket") else Headers()
        if wrong := scope["type"] != "lifespan" and self._wrong(headers, scope["path"]):
            await refuse(scope, receive, send, HTTPStatus.FORBIDDEN, wrong)
            return
        await self._app(scope, receive, send)

    def _wrong(self, headers: Headers, path: str) -> str:
        host = headers.get("host", "").lower()
        if not self._is_ours(host):
            return "Unknown host name: use an IP address, a name of this machine or a listed origin."
        origin = headers.get("origin", "").lower()
        if origin:
            known = _authority(origin) == host or origin in self._origins
            return "" if known else "Pages of this origin may not call the API. List the origin in gateway_origins."
        # Links to the console from other sites are allowed. Embedding its data, such as the camera image, is not.
        elsewhere = headers.get("sec-fetch-site", "none") not in ("none", "same-origin")
        embedded = path.startswith("/api/") or headers.get("sec-fetch-mode") != "navigate"
        return "Pages of other origins may not embed the console or call the API." if elsewhere and embedded else ""

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


class RequestSyntaxCheck:
    """Checks the path, query and headers of every request and WebSocket.

    Control characters in a path are rejected because names in the graph end at a NUL character: a name that is checked
    here would become a different name there.

    Args:
        app: Next ASGI application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
        if scope["type"] != "lifespan" and (wrong := _malformed(scope)):
            await refuse(scope, receive, send, HTTPStatus.BAD_REQUEST, wrong)
            return
        await self._app(scope, receive, send)


class SizeLimit:
    """Rejects request bodies over the limit, based on `Content-Length` or as soon as the received data exceeds it.

    Replaces Starlette's middleware, which responds with plain text instead of a problem document.

    Args:
        app: Next ASGI application.
        largest: Maximum size, bytes.
    """

    def __init__(self, app: ASGIApp, largest: int = LARGEST_BODY) -> None:
        self._app = app
        self._largest = largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
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
        except _TooLargeError:  # raised outside a route; a route would have handled it
            if not began:
                await self._refusal()(scope, receive, send)

    def _refusal(self) -> ASGIApp:
        return refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, f"Request body too large: at most {self._largest} bytes.")


def _authority(origin: str) -> str:
    """Returns the host and port of an origin, or "" if it is malformed."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


def _malformed(scope: Scope) -> str:
    headers = Headers(scope=scope)
    for name in ONCE:
        if len(headers.getlist(name)) > 1:
            return f"Invalid request: more than one {name} header."
    if _CONTROL.search(scope["path"]) or _CONTROL.search(unquote_plus(scope["query_string"].decode("latin-1"))):
        return "Invalid request: control character in the path or query."
    return ""


class _TooLargeError(HTTPException):
    """Error for a body over the limit. An `HTTPException`, because FastAPI replaces other errors in reading a body."""
