"""One request to a model as one value, because the SDK's signature of ten arguments is no place for logic."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from typing import Any

from agents import AgentOutputSchemaBase, Handoff, Model, ModelResponse, ModelSettings, ModelTracing, Tool
from agents.items import TResponseInputItem, TResponseStreamEvent
from openai.types.responses.response_prompt_param import ResponsePromptParam

from reachy_agent_ros.agent.model.counters import ModelCounters


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
    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Answers in one piece."""

    @abstractmethod
    def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Answers piece by piece. Closing it closes the connection."""

    async def get_response(
        self,
        system_instructions: str | None,
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK's name
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
        input: str | list[TResponseInputItem],  # noqa: A002 - the SDK's name
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
