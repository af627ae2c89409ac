"""Idempotency keys: a request that is sent twice acts once."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.gateway.access.authentication import STOP
from reachy_agent_ros.gateway.callers import caller_of
from reachy_agent_ros.gateway.problem import refusal

HEADER = "Idempotency-Key"

LONGEST_KEY = 255

KEPT_FOR = 24 * 3600.0
"""s."""

CAPACITY = 1000
"""Answers that are kept; the oldest go first."""

LARGEST_ANSWER = 64 << 10
"""B; of a larger one only the status is told again, because the act is what must not happen twice."""

_NOTHING_WAS_DONE = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Statuses after which the same key may try again."""


@dataclass
class _Kept:
    """What came of a key: nothing yet, or the messages of the answer."""

    digest: bytes
    at: float = field(default_factory=time.monotonic)
    messages: list[Message] = field(default_factory=list)
    size: int = 0
    complete: bool = False

    def take(self, message: Message) -> None:
        """Keeps a part of the answer."""
        body = message.get("body", b"")
        self.size += len(body)
        if self.size > LARGEST_ANSWER:
            self.messages = [{**self.messages[0], "headers": []}, {"type": "http.response.body", "body": b""}]
        else:
            self.messages.append({**message})
        self.complete = message["type"] == "http.response.body" and not message.get("more_body", False)


class Idempotency:
    """Honours `Idempotency-Key` of POST requests, after draft-ietf-httpapi-idempotency-key-header-07.

    The first answer of a caller's key is given again for a day, failures too, but for those after which nothing was
    done. Kept in memory: an act runs as long as the graph that does it, and what a restart ends can be asked for again.

    Args:
        app: What is behind it.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        key = Headers(scope=scope).get(HEADER, "") if scope["type"] == "http" and scope["method"] == "POST" else ""
        state = scope.get("state", {})
        if not key or scope["path"] == STOP or state.get("unique") or "caller" not in state:
            await self._app(scope, receive, send)
            return
        if len(key) > LONGEST_KEY:
            detail = f"An Idempotency-Key has at most {LONGEST_KEY} characters."
            await refusal(HTTPStatus.UNPROCESSABLE_ENTITY, detail)(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        digest = sha256(b"\0".join((scope["path"].encode(), scope["query_string"], body))).digest()
        owned = (caller_of(HTTPConnection(scope)).name, key)
        self._expire()
        if known := self._kept.get(owned):
            await _again(known, digest, scope, receive, send)
            return
        kept = self._kept[owned] = _Kept(digest)
        try:
            await self._app(scope, replayed(body, receive), _recorded(kept, send))
        finally:
            if not kept.complete or kept.messages[0]["status"] in _NOTHING_WAS_DONE:
                self._kept.pop(owned, None)

    def _expire(self) -> None:
        """Keys are in the order of their age; those whose act still runs stay, or it could be begun again."""
        oldest = time.monotonic() - KEPT_FOR
        for owned, kept in list(self._kept.items()):
            if len(self._kept) < CAPACITY and kept.at >= oldest:
                return
            if kept.complete:
                del self._kept[owned]


async def _again(known: _Kept, digest: bytes, scope: Scope, receive: Receive, send: Send) -> None:
    if known.digest != digest:
        detail = "This Idempotency-Key came with another request."
        await refusal(HTTPStatus.UNPROCESSABLE_ENTITY, detail)(scope, receive, send)
    elif not known.complete:
        await refusal(HTTPStatus.CONFLICT, "The request with this Idempotency-Key still runs.")(scope, receive, send)
    else:
        for message in known.messages:
            await send(message)


def _recorded(kept: _Kept, send: Send) -> Send:
    async def recording(message: Message) -> None:
        kept.take(message)
        await send(message)

    return recording


def replayed(body: bytes, receive: Receive) -> Receive:
    """What receives a body, and after it what comes on the connection.

    Args:
        body: All of it.
        receive: Of the connection.
    """
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replaying() -> Message:
        return waiting.pop() if waiting else await receive()

    return replaying
