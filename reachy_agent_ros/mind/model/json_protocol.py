"""Models that refuse tools or cannot use them: tools go into the prompt, and a JSON schema holds the answer."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any, TypeAlias, cast

from agents import ModelResponse, ModelSettings, Usage
from agents.items import TResponseOutputItem, TResponseStreamEvent
from agents.models.chatcmpl_converter import Converter
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletion, ChatCompletionMessageParam

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model.request import ModelRequest, RequestModel
from reachy_agent_ros.mind.model.responses import completed, function_call, message, message_text, text_delta
from reachy_agent_ros.mind.model.step_protocol import Step, StepError, StepProtocol

Message: TypeAlias = ChatCompletionMessageParam


class JsonProtocolModel(RequestModel):
    """Speaks `StepProtocol` with an endpoint. An unusable answer is sent back once, with what is wrong about it.

    Args:
        name: Model name at the endpoint.
        client: Client of the endpoint.
    """

    def __init__(self, name: str, client: AsyncOpenAI) -> None:
        self._name = name
        self._client = client

    async def answer(self, request: ModelRequest) -> ModelResponse:
        """Answers in one piece.

        Raises:
            AgentError: `MODEL_MISBEHAVED` after an unusable second answer; `MODEL_TRUNCATED`.
        """
        protocol = StepProtocol(request)
        messages = _messages(request, protocol)
        usage = Usage()
        text = await self._complete(messages, protocol, request.model_settings, usage)
        try:
            step = protocol.parse(text)
        except StepError as error:
            messages += [_message("assistant", text), _message("user", f"{error} Answer again as you were told.")]
            step = _repaired(protocol, await self._complete(messages, protocol, request.model_settings, usage))
        return ModelResponse(output=[_output(step)], usage=usage, response_id=None)

    async def stream(self, request: ModelRequest) -> AsyncIterator[TResponseStreamEvent]:
        """Answers in one piece too: an answer must be whole to be checked."""
        answer = await self.answer(request)
        for item in answer.output:
            text = message_text(item)
            if text is not None:
                yield text_delta(text)
        yield completed(self._name, answer)

    async def _complete(
        self, messages: list[Message], protocol: StepProtocol, settings: ModelSettings, usage: Usage
    ) -> str:
        completion: ChatCompletion = await self._client.chat.completions.create(
            model=self._name,
            messages=messages,
            response_format=protocol.response_format,
            temperature=settings.temperature,
            max_tokens=settings.max_tokens,
        )
        used = completion.usage
        if used is None:
            usage.add(Usage(requests=1))
        else:
            usage.add(
                Usage(1, used.prompt_tokens, output_tokens=used.completion_tokens, total_tokens=used.total_tokens)
            )
        return completion.choices[0].message.content or ""


def _messages(request: ModelRequest, protocol: StepProtocol) -> list[Message]:
    """The conversation with calls and results as plain text, for servers that know no tool messages."""
    system = f"{request.system_instructions or ''}\n\n{protocol.instructions}".strip()
    names: dict[str, str] = {}
    messages = [_message("system", system)]
    for item in Converter.items_to_messages(request.input):
        message: dict[str, Any] = dict(item)
        calls: Any = message.get("tool_calls") or ()
        for call in calls:
            names[call["id"]] = call["function"]["name"]
            step = {"tool": call["function"]["name"], "args": json.loads(call["function"]["arguments"] or "{}")}
            messages.append(_message("assistant", json.dumps(step)))
        if message["role"] == "tool":
            name = names.get(str(message["tool_call_id"]), "tool")
            messages.append(_message("user", f"Result of {name}: {message['content']}"))
        elif not calls:
            messages.append(_message(str(message["role"]), message["content"]))
    return messages


def _message(role: str, content: Any) -> Message:
    return cast("Message", {"role": role, "content": content})


def _repaired(protocol: StepProtocol, text: str) -> Step:
    try:
        return protocol.parse(text)
    except StepError as error:
        raise AgentError(
            ErrorCode.MODEL_MISBEHAVED, f"The language model's answer was unusable twice. {error}"
        ) from error


def _output(step: Step) -> TResponseOutputItem:
    return function_call(step.tool, step.arguments) if step.tool else message(step.reply)
