"""One request to a model as one value, because the SDK's signature of ten arguments is no place for logic."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Any

from agents import AgentOutputSchemaBase, Handoff, Model, ModelResponse, ModelSettings, ModelTracing, Tool
from agents.items import TResponseInputItem, TResponseStreamEvent
from openai.types.responses.response_prompt_param import ResponsePromptParam


@dataclass(frozen=True)
class ModelRequest:
    """The arguments of `agents.Model.get_response`."""

    system_instructions: str | None
    input: str | list[TResponseInputItem]
    model_settings: ModelSettings
    tools: list[Tool]
    output_schema: AgentOutputSchemaBase | None
    handoffs: list[Handoff[Any, Any]]
    tracing: ModelTracing

    @property
    def arguments(self) -> dict[str, Any]:
        """As keyword arguments for another model."""
        return {**self.__dict__, "previous_response_id": None, "conversation_id": None, "prompt": None}

    @property
    def tool_names(self) -> list[str]:
        """Everything that can be called, handoffs included."""
        return [tool.name for tool in self.tools] + [handoff.tool_name for handoff in self.handoffs]


class RequestModel(Model):
    """A model that is asked by `ModelRequest`. What only the Responses API has is not passed on."""

    @abstractmethod
    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Answers in one piece."""

    @abstractmethod
    def stream(self, request: ModelRequest) -> AsyncIterator[TResponseStreamEvent]:
        """Answers piece by piece."""

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002, the SDK's name
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

    def stream_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002, the SDK's name
        model_settings: ModelSettings,
        tools: list[Tool],
        output_schema: AgentOutputSchemaBase | None,
        handoffs: list[Handoff[Any, Any]],
        tracing: ModelTracing,
        *,
        previous_response_id: str | None,
        conversation_id: str | None,
        prompt: ResponsePromptParam | None,
    ) -> AsyncIterator[TResponseStreamEvent]:
        """Implements `agents.Model`."""
        return self.stream(
            ModelRequest(system_instructions, input, model_settings, tools, output_schema, handoffs, tracing)
        )
