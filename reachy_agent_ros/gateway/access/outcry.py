"""Finds words that stop the robot in a request, so that the stop acts before the request is processed."""

from __future__ import annotations

from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Receive, Scope, Send

from reachy_agent_ros.core.strict_json import strict_json
from reachy_agent_ros.gateway.access.authentication import CHAT, FEEDBACK, too_many
from reachy_agent_ros.gateway.access.idempotency import replayed
from reachy_agent_ros.gateway.graph import gateway_behind
from reachy_agent_ros.nlu.reflex import Reflex
from reachy_agent_ros.nlu.vocabulary import Vocabulary

_LONGEST = 8_000
"""Bytes of a request that may be a stop, which has 500 characters at most; longer ones take too long to read here."""


class Outcry:
    """Looks for a stop in feedback and in chat messages, without any limit on how often they come.

    A judgement that is a stop stops the robot here. A sentence that is one passes, and does as often as it is sent,
    also with an idempotency key that was used already.

    Args:
        app: What is behind it; `request.state.stopped` is whether a judgement has stopped the robot, and
            `request.state.unique` whether a request must not be answered with what an earlier one got.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._reflex = Reflex(Vocabulary((), ()))

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
        if scope["path"] == FEEDBACK:
            text = body.decode(errors="replace")
            stop = state.stopped = gateway_behind(HTTPConnection(scope)).feedback.stop_if_urgent(text)
        else:
            stop = state.unique = self._reflex.decide(_message(body)).stops
        if state.wait and not stop:
            await too_many(scope, receive, send, state.wait)
            return
        await self._app(scope, replayed(body, receive), send)


def _message(body: bytes) -> str:
    """What a request to chat says; empty if it is not such a request, which its route then refuses."""
    try:
        found = strict_json(body) if len(body) <= _LONGEST else None
    except ValueError:
        return ""
    message = found.get("message") if isinstance(found, dict) else None
    return message if isinstance(message, str) else ""
