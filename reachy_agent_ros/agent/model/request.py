"""One request to a model as one value, and whether it fits what the model reads.

The SDK's signature of ten arguments is no place for logic. Servers cut silently what does not fit, at the front, where
the tools are.
"""

from __future__ import annotations

import json
import logging
from abc import abstractmethod
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

from agents import AgentOutputSchemaBase, FunctionTool, Handoff, Model, ModelResponse, ModelSettings, ModelTracing, Tool
from agents.items import TResponseInputItem, TResponseStreamEvent
from openai.types.responses import ResponseCompletedEvent
from openai.types.responses.response_prompt_param import ResponsePromptParam
from typing_extensions import override

from reachy_agent_ros.agent.model.budget import ModelCounters
from reachy_agent_ros.agent.model.responses import usage_of
from reachy_agent_ros.core.errors import AgentError, ErrorCode

CHARACTERS_PER_TOKEN = 4.0
"""Of English and JSON, on the high side: a request is refused only when it certainly does not fit."""

CONVERSATION = 2048
"""Tokens that should be left for the conversation and the answer."""

ENOUGH = 8192
"""Tokens in which all of that has room, with the robot's own tools."""

REMEDY = "Give it 16384: OLLAMA_CONTEXT_LENGTH=16384 for Ollama, --ctx-size 16384 for llama.cpp."
"""What to do about too few."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ModelRequest:
    """The arguments of `agents.Model.get_response`, and where what happens to it is counted."""

    system_instructions: str | None
    input: str | list[TResponseInputItem]
    model_settings: ModelSettings
    tools: list[Tool]
    output_schema: AgentOutputSchemaBase | None
    handoffs: list[Handoff[Any, Any]]
    tracing: ModelTracing
    counters: ModelCounters = field(default_factory=ModelCounters, compare=False)

    @property
    def arguments(self) -> dict[str, Any]:
        """As keyword arguments for another model."""
        own = {name: value for name, value in self.__dict__.items() if name != "counters"}
        return {**own, "previous_response_id": None, "conversation_id": None, "prompt": None}

    @property
    def tool_names(self) -> list[str]:
        """Everything that can be called, handoffs included."""
        return [tool.name for tool in self.tools] + [handoff.tool_name for handoff in self.handoffs]


class RequestModel(Model):
    """A model that is asked by `ModelRequest`. What only the Responses API has is not passed on."""

    @abstractmethod
    def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Answers piece by piece. Closing it closes the connection."""

    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Answers in one piece.

        Raises:
            AgentError: As `stream`; `MODEL_TRUNCATED`: the stream ended before the answer did.
        """
        response: ModelResponse | None = None
        async with aclosing(self.stream(request)) as events:
            async for event in events:
                if isinstance(event, ResponseCompletedEvent):
                    response = ModelResponse(output=event.response.output, usage=usage_of(event), response_id=None)
        if response is None:
            raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer broke off.")
        return response

    @override
    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff[Any, Any]],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> ModelResponse:
        """Implements `agents.Model`."""
        return await self.answer(
            ModelRequest(system_instructions, input, model_settings, tools, output_schema, handoffs, tracing)
        )

    @override
    def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff[Any, Any]],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Implements `agents.Model`."""
        return self.stream(
            ModelRequest(system_instructions, input, model_settings, tools, output_schema, handoffs, tracing)
        )


def require_room(request: ModelRequest, context: int | None) -> None:
    """Refuses a request whose instructions and tools alone do not fit, and warns where they leave little.

    Args:
        request: What is to be asked.
        context: Tokens the model reads at most; None if not known.

    Raises:
        AgentError: `MODEL_FAILED`, with the remedy.
    """
    if context is None:
        return
    fixed = _fixed_tokens(request)
    if fixed + CONVERSATION <= context:
        return
    message = (
        f"The language model reads {context} tokens, and the instructions and tools alone are about {fixed}. {REMEDY}"
    )
    if fixed > context:
        raise AgentError(ErrorCode.MODEL_FAILED, message)
    _log.warning("%s", message)


def _fixed_tokens(request: ModelRequest) -> int:
    """Tokens of the instructions and tools, which every request begins with, estimated."""
    tools = [
        [tool.name, tool.description, tool.params_json_schema]
        for tool in request.tools
        if isinstance(tool, FunctionTool)
    ]
    handoffs = [[entry.tool_name, entry.tool_description, entry.input_json_schema] for entry in request.handoffs]
    text = (request.system_instructions or "") + json.dumps([*tools, *handoffs])
    return int(len(text) / CHARACTERS_PER_TOKEN)
