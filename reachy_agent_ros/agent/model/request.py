"""Model request as one object instead of the SDK's ten arguments, and a check of its length.

Servers silently truncate long requests at the front, where the tools are.
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
"""High estimate for English and JSON, so that a request is rejected only if it is certainly too long."""

CONVERSATION = 2048
"""Tokens that should remain for the conversation and the answer."""

ENOUGH = 8192
"""Context length that is sufficient for the robot's own tools and a conversation, tokens."""

REMEDY = "Give it 16384: OLLAMA_CONTEXT_LENGTH=16384 for Ollama, --ctx-size 16384 for llama.cpp."
"""Remedy for a context that is too short."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ModelRequest:
    """Arguments of `agents.Model.get_response`, plus the counters of the task."""

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
        """Keyword arguments for the `stream_response` method of an SDK model."""
        own = {name: value for name, value in self.__dict__.items() if name != "counters"}
        return {**own, "previous_response_id": None, "conversation_id": None, "prompt": None}

    @property
    def tool_names(self) -> list[str]:
        """Names of all tools and handoffs."""
        return [tool.name for tool in self.tools] + [handoff.tool_name for handoff in self.handoffs]


class RequestModel(Model):
    """Base class of models that take a `ModelRequest`. Ignores arguments that exist only for the Responses API."""

    @abstractmethod
    def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Streams the answer. Closing the generator closes the connection."""

    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Returns the complete answer.

        Raises:
            AgentError: Errors of `stream`; `MODEL_TRUNCATED`: the stream ended before the answer was complete.
        """
        response: ModelResponse | None = None
        async with aclosing(self.stream(request)) as events:
            async for event in events:
                if isinstance(event, ResponseCompletedEvent):
                    response = ModelResponse(output=event.response.output, usage=usage_of(event), response_id=None)
        if response is None:
            raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer was cut off.")
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
        """Returns the complete answer. Implements `agents.Model`."""
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
        """Streams the answer. Implements `agents.Model`."""
        return self.stream(
            ModelRequest(system_instructions, input, model_settings, tools, output_schema, handoffs, tracing)
        )


def require_room(request: ModelRequest, context: int | None) -> None:
    """Rejects a request whose instructions and tools exceed the context length.

    Logs a warning if they nearly exceed it.

    Args:
        request: Request to the model.
        context: Context length in tokens; None if unknown.

    Raises:
        AgentError: `MODEL_FAILED`: the instructions and tools do not fit. The message contains the remedy.
    """
    if context is None:
        return
    fixed = _fixed_tokens(request)
    if fixed + CONVERSATION <= context:
        return
    message = (
        f"The language model has a context of {context} tokens; instructions and tools need about {fixed}. {REMEDY}"
    )
    if fixed > context:
        raise AgentError(ErrorCode.MODEL_FAILED, message)
    _log.warning("%s", message)


def _fixed_tokens(request: ModelRequest) -> int:
    """Estimates the number of tokens of the instructions and tools, which are part of every request."""
    tools = [
        [tool.name, tool.description, tool.params_json_schema]
        for tool in request.tools
        if isinstance(tool, FunctionTool)
    ]
    handoffs = [[entry.tool_name, entry.tool_description, entry.input_json_schema] for entry in request.handoffs]
    text = (request.system_instructions or "") + json.dumps([*tools, *handoffs])
    return int(len(text) / CHARACTERS_PER_TOKEN)
