"""Models whose server takes tools as the OpenAI API has them."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeAlias, cast

from agents import ModelResponse, OpenAIChatCompletionsModel
from agents.items import TResponseOutputItem, TResponseStreamEvent
from openai.types.responses import (
    ResponseCompletedEvent,
    ResponseFunctionCallArgumentsDeltaEvent,
    ResponseTextDeltaEvent,
)

from reachy_agent_ros.agent.model.call_text import may_become_call, written_calls
from reachy_agent_ros.agent.model.request import ModelRequest, RequestModel
from reachy_agent_ros.agent.model.responses import function_call, message_text

_Events: TypeAlias = AsyncGenerator[TResponseStreamEvent, None]


class NativeToolModel(RequestModel):
    """The SDK's own chat model; a call that came as text is still made.

    Args:
        model: The model to listen to.
    """

    def __init__(self, model: OpenAIChatCompletionsModel) -> None:
        self._model = model

    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Answers in one piece."""
        response = await self._model.get_response(**request.arguments)
        response.output = _salvaged(response.output, request)
        return response

    async def stream(self, request: ModelRequest) -> _Events:
        """Answers piece by piece. What may still become a call is held back, so that nobody is read JSON aloud."""
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
    """The output itself, or the calls it was a text of."""
    text = message_text(output[0]) if len(output) == 1 else None
    calls = () if text is None else written_calls(text, request.tool_names)
    request.counters.salvaged += len(calls)
    return [function_call(call.name, call.arguments) for call in calls] or output
