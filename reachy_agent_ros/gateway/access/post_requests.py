"""POST requests, read before their route: one that is a stop acts at once, and one that is sent twice acts once."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass, field
from hashlib import sha256
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.access.authentication import CHAT, FEEDBACK, STOP, too_many
from reachy_agent_ros.gateway.callers import caller_of
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.gateway.problem import refusal
from reachy_agent_ros.nlu.stop_rule import is_held_by_agent

_LONGEST_STOP = 8_000
"""Bytes of a request that may be a stop, which has 500 characters at most; longer ones take too long to read here."""

HEADER = "Idempotency-Key"

LONGEST_KEY = 255

_KEPT_FOR = 24 * 3600.0
"""s."""

CAPACITY = 1000
"""Answers that are kept; the oldest go first."""

LARGEST_ANSWER = 64 << 10
"""B; of a larger one only the status is told again, because the act is what must not happen twice."""

_NOTHING_WAS_DONE = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Statuses after which the same key may try again."""


class EmergencyStopMiddleware:
    """Looks for a stop in feedback and in chat messages, without any limit on how often they come.

    An urgent stop latches the emergency stop here, in a judgement as in a sentence: it waits for no agent, which may
    hang, and acts even if the request itself comes too often. A sentence that holds the robot passes to the agent, and
    does as often as it is sent, also with an idempotency key that was used already.

    Args:
        app: What is behind it; `request.state.stopped` is whether a judgement has stopped the robot, and
            `request.state.unique` whether a request must not be answered with what an earlier one got.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one connection."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in (FEEDBACK, *CHAT):
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        state = HTTPConnection(scope).state
        feedback = gateway_behind(HTTPConnection(scope)).feedback
        if scope["path"] == FEEDBACK:
            stop = state.stopped = feedback.stop_if_urgent(body.decode(errors="replace"))
        else:
            message = _message(body)
            stop = state.unique = is_held_by_agent(message)
            if not stop:
                feedback.stop_if_urgent(message)
        if state.wait and not stop:
            await too_many(scope, receive, send, state.wait)
            return
        await self._app(scope, _replayed(body, receive), send)


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
            await self._app(scope, _replayed(body, receive), _recorded(kept, send))
        finally:
            if not kept.complete or kept.messages[0]["status"] in _NOTHING_WAS_DONE:
                self._kept.pop(owned, None)

    def _expire(self) -> None:
        """Keys are in the order of their age; those whose act still runs stay, or it could be begun again."""
        oldest = time.monotonic() - _KEPT_FOR
        for owned, kept in list(self._kept.items()):
            if len(self._kept) < CAPACITY and kept.at >= oldest:
                return
            if kept.complete:
                del self._kept[owned]


def _replayed(body: bytes, receive: Receive) -> Receive:
    """What receives a body, and after it what comes on the connection.

    Args:
        body: All of it.
        receive: Of the connection.
    """
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replaying() -> Message:
        return waiting.pop() if waiting else await receive()

    return replaying


def _message(body: bytes) -> str:
    """What a request to chat says; empty if it is not such a request, which its route then refuses."""
    try:
        found = strict_json(body) if len(body) <= _LONGEST_STOP else None
    except ValueError:
        return ""
    message = found.get("message") if isinstance(found, dict) else None
    return message if isinstance(message, str) else ""


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
