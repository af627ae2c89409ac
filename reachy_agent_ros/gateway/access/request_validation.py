"""Validation of requests before authentication: origin and host, paths, queries and headers.

Which web pages may call, so that no page of a stranger can use the browser of somebody who may; and no request that two
readers could understand differently.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Sequence
from http import HTTPStatus
from urllib.parse import unquote_plus, urlsplit

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

from reachy_agent_ros.gateway.problem import refuse


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


def _authority(origin: str) -> str:
    """Host and port of an origin; empty where it is none."""
    try:
        return urlsplit(origin).netloc
    except ValueError:
        return ""


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
        if scope["type"] != "lifespan" and (wrong := _malformed(scope)):
            await refuse(scope, receive, send, HTTPStatus.BAD_REQUEST, wrong)
            return
        await self._app(scope, receive, send)


def _malformed(scope: Scope) -> str:
    headers = Headers(scope=scope)
    for name in ONCE:
        if len(headers.getlist(name)) > 1:
            return f"A request has one {name} header."
    if _CONTROL.search(scope["path"]) or _CONTROL.search(unquote_plus(scope["query_string"].decode("latin-1"))):
        return "A path or query has no control characters."
    return ""
