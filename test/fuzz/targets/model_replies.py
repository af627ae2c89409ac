"""Target for responses of a model server. The client reads them with both tool protocols of the agent."""

from __future__ import annotations

import asyncio
import random
from contextlib import aclosing, suppress

from agents import FunctionTool, ModelSettings, ModelTracing, Tool

from fuzz.targets.reply_samples import broken_reply, pieces_of_reply
from fuzz.targets.reply_server import ReplyServer
from reachy_agent_ros.agent.model.client import EndpointClient
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.endpoint_model import EndpointModel
from reachy_agent_ros.agent.model.errors import MODEL_EXCEPTIONS
from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.self_tests import ToolProtocol

_TIMEOUT = 5.0
"""Timeout of the client, s. The server responds at once or closes the connection."""

_SCHEMA = {"type": "object", "properties": {"yaw_deg": {"type": "number"}}, "additionalProperties": False}


class ModelReplies:
    """Target that sends one request per case.

    Only errors in `MODEL_EXCEPTIONS` are accepted, because a turn handles them.

    The first byte of a case selects the protocol; the rest is the response of the server.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._unseen: list[str] = []
        self._loop.set_exception_handler(lambda _loop, context: self._unseen.append(str(context)))
        self._server = self._loop.run_until_complete(ReplyServer().__aenter__())
        self._client = EndpointClient(Endpoint(self._server.url, "scripted", timeout=_TIMEOUT))

    def case(self, chance: random.Random) -> bytes:
        """Returns a mutated response stream."""
        calls: tuple[tuple[str, object], ...] = (
            ("move_head", {"yaw_deg": 20.0}),
            ("move_head", '{"yaw_deg": '),
            ("fly", {}),
            ("move_head", "[]"),
        )
        return chance.choice((b"n", b"j")) + broken_reply(pieces_of_reply(chance, calls), chance)

    def take(self, data: bytes) -> None:
        """Sends a request and reads the response stream to its end."""
        self._server.reply = data[1:]
        protocol = ToolProtocol.NATIVE if data[:1] == b"n" else ToolProtocol.JSON_SCHEMA
        self._loop.run_until_complete(self._ask(protocol))
        assert not self._unseen, self._unseen.pop()

    async def _ask(self, protocol: ToolProtocol) -> None:
        with suppress(*MODEL_EXCEPTIONS):
            async with aclosing(EndpointModel("scripted", self._client, protocol).stream(_request())) as events:
                async for _ in events:
                    """Any event is accepted; only errors count."""


def _request() -> ModelRequest:
    settings = ModelSettings(max_tokens=300)
    return ModelRequest("You are a robot.", "Look left.", settings, [_tool()], None, [], ModelTracing.DISABLED)


def _tool() -> Tool:
    async def nothing(*_: object) -> str:
        return "{}"

    return FunctionTool("move_head", "Turns the head.", _SCHEMA, nothing, False)
