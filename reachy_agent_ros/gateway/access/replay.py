"""A body that was read already, for those who are to read it next."""

from __future__ import annotations

from starlette.types import Message, Receive


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
