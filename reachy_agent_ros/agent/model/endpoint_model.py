"""The model of an endpoint, in whichever tool protocol it turns out to speak."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing

from agents import ModelResponse, OpenAIChatCompletionsModel
from agents.items import TResponseStreamEvent
from openai import APIStatusError, AsyncOpenAI

from reachy_agent_ros.agent.model.errors import refuses_tools
from reachy_agent_ros.agent.model.json_protocol import JsonProtocolModel
from reachy_agent_ros.agent.model.native import NativeToolModel
from reachy_agent_ros.agent.model.request import ModelRequest, RequestModel
from reachy_agent_ros.agent.model.room import require_room
from reachy_agent_ros.agent.model.tool_protocol import ToolProtocol


class EndpointModel(RequestModel):
    """Starts with the protocol that the probe found and leaves native tools for good when the server refuses them.

    Args:
        name: Model name at the endpoint.
        client: Client of the endpoint.
        protocol: What to start with.
        context: Tokens it reads at most, None if not known.
    """

    def __init__(self, name: str, client: AsyncOpenAI, protocol: ToolProtocol, context: int | None = None) -> None:
        self.protocol = protocol
        self.context = context
        self._native = NativeToolModel(OpenAIChatCompletionsModel(name, client))
        self._json = JsonProtocolModel(name, client)

    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Answers in one piece."""
        require_room(request, self.context)
        if self.protocol is ToolProtocol.NATIVE:
            try:
                return await self._native.answer(request)
            except APIStatusError as error:
                self._give_up_native(error, request)
        return await self._json.answer(request)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Answers piece by piece; a refusal comes before the first piece."""
        require_room(request, self.context)
        if self.protocol is ToolProtocol.NATIVE:
            try:
                async with aclosing(self._native.stream(request)) as events:
                    async for event in events:
                        yield event
                return
            except APIStatusError as error:
                self._give_up_native(error, request)
        async with aclosing(self._json.stream(request)) as events:
            async for event in events:
                yield event

    def _give_up_native(self, error: APIStatusError, request: ModelRequest) -> None:
        if not refuses_tools(error):
            raise error
        request.counters.retries += 1
        request.counters.calls += 1
        self.protocol = ToolProtocol.JSON_SCHEMA
