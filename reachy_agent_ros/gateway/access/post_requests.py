"""Middleware for POST requests: emergency stops and idempotency keys."""

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
from reachy_agent_ros.gateway.access.authentication import CHAT, FEEDBACK, STOP, send_too_many_requests
from reachy_agent_ros.gateway.callers import caller_of
from reachy_agent_ros.gateway.feedback_text import unparsed_feedback_text
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.gateway.problem import refusal
from reachy_agent_ros.gateway.request_handling import replayed
from reachy_agent_ros.nlu.stop_rule import is_cry, is_held_by_agent

_LONGEST_STOP = 8_000
"""Maximum size of a chat request that is checked for a stop, bytes. Checking larger ones here would take too long."""

HEADER = "Idempotency-Key"

LONGEST_KEY = 255

_KEPT_FOR = 24 * 3600.0
"""Time for which responses are kept, s."""

CAPACITY = 1000
"""Maximum number of kept responses. The oldest are dropped first."""

LARGEST_ANSWER = 64 << 10
"""Maximum body size of a kept response, bytes. Of a larger one, only the status is kept, so the action runs once."""

_NOTHING_WAS_DONE = (HTTPStatus.TOO_MANY_REQUESTS, HTTPStatus.SERVICE_UNAVAILABLE)
"""Statuses after which a request with the same key is executed again, because the first one had no effect."""


class EmergencyStopMiddleware:
    """Detects requests to stop the robot in feedback and chat messages, regardless of the rate limit.

    An urgent stop latches the emergency stop here. It does not wait for the agent, which may hang, and it works even if
    the request exceeds the rate limit. A message that asks the robot to hold its pose is passed to the agent each time
    that it is sent, even with an idempotency key that was used before.

    Args:
        app: Next ASGI application. It finds in `request.state.stopped` whether feedback has stopped the robot, and in
            `request.state.unique` whether the request must not be answered with an earlier response.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
        if scope["type"] != "http" or scope["method"] != "POST" or scope["path"] not in (FEEDBACK, *CHAT):
            await self._app(scope, receive, send)
            return
        try:
            body = await Request(scope, receive).body()
        except ClientDisconnect:
            return
        state = HTTPConnection(scope).state
        feedback, who = gateway_behind(HTTPConnection(scope)).feedback, caller_of(HTTPConnection(scope)).principal.name
        if scope["path"] == FEEDBACK:
            stop = state.stopped = feedback.stop_if_urgent(unparsed_feedback_text(body.decode(errors="replace")), who)
        else:
            message = _message(body)
            stop = state.unique = is_held_by_agent(message)
            if is_cry(message):
                feedback.stop_if_urgent(message, who)
        if state.wait and not stop:
            await send_too_many_requests(scope, receive, send, state.wait)
            return
        await self._app(scope, replayed(body, receive), send)


class Idempotency:
    """Implements `Idempotency-Key` for POST requests (draft-ietf-httpapi-idempotency-key-header-07).

    For a day, a request in which the same caller repeats a key gets the first response again. This includes failures,
    except those that had no effect. Responses are kept in memory only: an action does not outlive the graph, so a
    request may be repeated after a restart.

    Args:
        app: Next ASGI application.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles one ASGI connection."""
        key = Headers(scope=scope).get(HEADER, "") if scope["type"] == "http" and scope["method"] == "POST" else ""
        state = scope.get("state", {})
        if not key or scope["path"] == STOP or state.get("unique") or "caller" not in state:
            await self._app(scope, receive, send)
            return
        if len(key) > LONGEST_KEY:
            detail = f"Invalid Idempotency-Key: expected at most {LONGEST_KEY} characters."
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
        """Deletes expired and excess responses, oldest first. Keeps running requests, so that none runs twice."""
        oldest = time.monotonic() - _KEPT_FOR
        for owned, kept in list(self._kept.items()):
            if len(self._kept) < CAPACITY and kept.at >= oldest:
                return
            if kept.complete:
                del self._kept[owned]


def _message(body: bytes) -> str:
    """Returns the message of a chat request, or "" if the request is invalid. The route rejects invalid requests."""
    try:
        found = strict_json(body) if len(body) <= _LONGEST_STOP else None
    except ValueError:
        return ""
    message = found.get("message") if isinstance(found, dict) else None
    return message if isinstance(message, str) else ""


@dataclass
class _Kept:
    """Recorded response to a request with an idempotency key. Incomplete while the request is running."""

    digest: bytes
    at: float = field(default_factory=time.monotonic)
    messages: list[Message] = field(default_factory=list)
    size: int = 0
    complete: bool = False

    def take(self, message: Message) -> None:
        """Records a part of the response."""
        body = message.get("body", b"")
        self.size += len(body)
        if self.size > LARGEST_ANSWER:
            self.messages = [{**self.messages[0], "headers": []}, {"type": "http.response.body", "body": b""}]
        else:
            self.messages.append({**message})
        self.complete = message["type"] == "http.response.body" and not message.get("more_body", False)


async def _again(known: _Kept, digest: bytes, scope: Scope, receive: Receive, send: Send) -> None:
    if known.digest != digest:
        detail = "This Idempotency-Key was used for a different request. Use a new key."
        await refusal(HTTPStatus.UNPROCESSABLE_ENTITY, detail)(scope, receive, send)
    elif not known.complete:
        await refusal(HTTPStatus.CONFLICT, "The request with this Idempotency-Key is still running.")(
            scope, receive, send
        )
    else:
        for message in known.messages:
            await send(message)


def _recorded(kept: _Kept, send: Send) -> Send:
    async def recording(message: Message) -> None:
        kept.take(message)
        await send(message)

    return recording
