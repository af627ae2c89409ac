"""Refuses requests that two readers could understand differently."""

from __future__ import annotations

import re
from http import HTTPStatus
from urllib.parse import unquote_plus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from reachy_agent_ros.gateway.problem import refuse

ONCE = ("host", "origin", "authorization", "content-type")
"""Headers of which the first or the last would count, depending on who reads."""

_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


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
        if scope["type"] != "lifespan" and (wrong := _wrong(scope)):
            await refuse(scope, receive, send, HTTPStatus.BAD_REQUEST, wrong)
            return
        await self._app(scope, receive, send)


def _wrong(scope: Scope) -> str:
    headers = Headers(scope=scope)
    for name in ONCE:
        if len(headers.getlist(name)) > 1:
            return f"A request has one {name} header."
    if _CONTROL.search(scope["path"]) or _CONTROL.search(unquote_plus(scope["query_string"].decode("latin-1"))):
        return "A path or query has no control characters."
    return ""
