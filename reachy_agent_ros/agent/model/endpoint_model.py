"""Model of an endpoint that calls tools natively or with the JSON step protocol, as a self-test determines."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeAlias, cast

from agents import OpenAIChatCompletionsModel
from agents.items import TResponseOutputItem, TResponseStreamEvent
from openai import APIStatusError, AsyncOpenAI
from openai.types.chat import ChatCompletionFunctionToolParam
from openai.types.responses import (
    ResponseCompletedEvent,
    ResponseFunctionCallArgumentsDeltaEvent,
    ResponseTextDeltaEvent,
)

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.errors import MODEL_EXCEPTIONS, agent_error, refuses_tools
from reachy_agent_ros.agent.model.json_protocol import JsonProtocolModel
from reachy_agent_ros.agent.model.request import ModelRequest, RequestModel, require_room
from reachy_agent_ros.agent.model.responses import function_call, message_text
from reachy_agent_ros.agent.model.self_tests import SelfTests, ToolProtocol
from reachy_agent_ros.agent.model.server_facts import ServerFacts
from reachy_agent_ros.agent.model.step_protocol import may_become_call, written_calls
from reachy_agent_ros.core.errors import ErrorCode

_Events: TypeAlias = AsyncGenerator[TResponseStreamEvent, None]

_SELF_TEST_TOOL: ChatCompletionFunctionToolParam = {
    "type": "function",
    "function": {
        "name": "report_number",
        "description": "Reports a number.",
        "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    },
}


class EndpointModel(RequestModel):
    """Model of an endpoint, which switches to the JSON protocol if the server rejects native tools.

    Args:
        name: Model name at the endpoint.
        client: Client of the endpoint.
        protocol: Initial tool protocol.
        context: Context length in tokens, None if unknown.
    """

    def __init__(self, name: str, client: AsyncOpenAI, protocol: ToolProtocol, context: int | None = None) -> None:
        self.protocol = protocol
        self.context = context
        self._native = _NativeToolModel(OpenAIChatCompletionsModel(name, client))
        self._json = JsonProtocolModel(name, client)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Streams the answer. Falls back to the JSON protocol if the server rejects tools before it answers."""
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


async def probe(endpoint: Endpoint, client: AsyncOpenAI, facts: ServerFacts, known: SelfTests) -> ToolProtocol:
    """Tests whether the model calls tools natively, unless the server denies it or the result is already stored.

    Servers may advertise tools that the model does not use, or silently drop them. Therefore native tools are used only
    with a model that makes a call in a self-test.

    Args:
        endpoint: Endpoint to test.
        client: Client of the endpoint.
        facts: Facts reported by the server.
        known: Results of earlier tests, to which this one is added.

    Returns:
        Tool protocol to use.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`: the model did not respond.
    """
    if facts.tools is False:
        return ToolProtocol.JSON_SCHEMA
    protocol = known.result(endpoint, facts)
    if protocol is None:
        calls = await _calls_a_tool(endpoint, client, facts.model)
        protocol = ToolProtocol.NATIVE if calls else ToolProtocol.JSON_SCHEMA
        known.keep(endpoint, facts, protocol)
    return protocol


class _NativeToolModel(RequestModel):
    """Chat model of the SDK that also recognizes tool calls written as text.

    Args:
        model: Model of the SDK.
    """

    def __init__(self, model: OpenAIChatCompletionsModel) -> None:
        self._model = model

    async def stream(self, request: ModelRequest) -> _Events:
        """Streams the answer. Holds back text that may become a tool call, because JSON must not be spoken."""
        text = ""
        held: list[TResponseStreamEvent] = []
        answer = cast("_Events", self._model.stream_response(**request.arguments))
        async with aclosing(answer) as events:
            async for event in events:
                if isinstance(event, ResponseTextDeltaEvent | ResponseFunctionCallArgumentsDeltaEvent):
                    request.counters.note_piece()
                if isinstance(event, ResponseTextDeltaEvent):
                    text += event.delta
                if isinstance(event, ResponseCompletedEvent):
                    output = _salvaged(event.response.output, request)
                    held = held if output is event.response.output else []
                    event.response.output = output
                elif may_become_call(text):
                    held.append(event)
                    continue
                for earlier in held:
                    yield earlier
                held = []
                yield event


def _salvaged(output: list[TResponseOutputItem], request: ModelRequest) -> list[TResponseOutputItem]:
    """Returns the tool calls that are written as text in the output. Returns the output itself if it contains none."""
    text = message_text(output[0]) if len(output) == 1 else None
    calls = () if text is None else written_calls(text, request.tool_names)
    request.counters.salvaged += len(calls)
    return [function_call(call.tool, call.arguments) for call in calls] or output


async def _calls_a_tool(endpoint: Endpoint, client: AsyncOpenAI, model: str) -> bool:
    try:
        completion = await client.chat.completions.create(
            model=model,
            messages=[{"role": "user", "content": "Use the tool report_number to report the number 7."}],
            tools=[_SELF_TEST_TOOL],
            temperature=0.0,
            max_tokens=endpoint.max_tokens,
        )
        calls: Any = completion.choices[0].message.tool_calls or []
        return any(json.loads(call.function.arguments) == {"number": 7} for call in calls)
    except MODEL_EXCEPTIONS as error:
        failure = agent_error(error)
        if refuses_tools(error) or failure.code in (ErrorCode.MODEL_TRUNCATED, ErrorCode.MODEL_MISBEHAVED):
            return False
        raise failure from error
