"""Models that refuse tools or cannot use them: tools go into the prompt, and a JSON schema holds the answer.

The conversation goes as plain text, because these servers know no tool messages. The reply is read out of the answer
while it is still being written, so that it can be spoken meanwhile.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, TypeAlias, cast

from agents import ModelResponse, Usage
from agents.items import TResponseOutputItem, TResponseStreamEvent
from agents.models.chatcmpl_converter import Converter
from openai import AsyncOpenAI
from openai.types import CompletionUsage
from openai.types.chat import ChatCompletionChunk, ChatCompletionMessageParam

from reachy_agent_ros.agent.guardrails.runaway_text import RunawayError
from reachy_agent_ros.agent.model.chat_completions import well_formed
from reachy_agent_ros.agent.model.errors import CutOffError
from reachy_agent_ros.agent.model.request import ModelRequest, RequestModel
from reachy_agent_ros.agent.model.responses import completed, function_call, message, text_delta
from reachy_agent_ros.agent.model.step_protocol import ModelStep, StepError, StepProtocol
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_SHOWN = 2000
"""Characters of an unusable answer that the model is shown again."""

_SHOWN_OF_ENDLESS = 400
"""Likewise of one that came to no end: it would go on from there."""

AGAIN_TEMPERATURE = 0.6
"""Of the second attempt: where it takes the likeliest word each time, a model goes the same way again."""

_REPLY = 'Now tell me what came of it: {"reply": TEXT}, unless the request needs another tool.'
"""After a tool's result. Small models take a bare one for another request and call tools for ever; of the wordings
that were tried with one of 1.5 billion parameters, only those with the form of a reply in them ended that."""

_LED = 'If nothing is left to do but to tell me: {"reply": TEXT}.'
"""After a result that says itself what is next, as those of a plan do: told to reply all the same, a model leaves the
plan in the middle."""

_STEP_DONE = 'Do not do that again. Go on with what comes next, if anything does; else tell me: {"reply": TEXT}.'
"""After a result in between, which says nothing of the plan: told once more to do the step, a model does it twice."""

_Message: TypeAlias = ChatCompletionMessageParam

_BEGINNING = re.compile(r'\s*(?:```(?:json)?\s*)?\{\s*"reply"\s*:\s*"')
_WHOLE = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_HALF_CHARACTER = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}$")


class JsonProtocolModel(RequestModel):
    """Speaks `StepProtocol` with an endpoint.

    A reply is given out while it is written. An unusable answer is sent back once, with what is wrong about it, but
    never when some of it has been given out: the person would hear two answers.

    Args:
        name: Model name at the endpoint.
        client: Client of the endpoint.
    """

    def __init__(self, name: str, client: AsyncOpenAI) -> None:
        self._name = name
        self._client = client

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Answers piece by piece.

        Raises:
            AgentError: `MODEL_MISBEHAVED` after an unusable second answer; `MODEL_TRUNCATED`.
        """
        exchange = _Exchange(self._name, self._client, request)
        async with aclosing(exchange.run()) as deltas:
            async for delta in deltas:
                yield text_delta(delta)
        yield completed(self._name, exchange.response)


class _Exchange:
    """One request, answered at the second attempt at the latest."""

    def __init__(self, name: str, client: AsyncOpenAI, request: ModelRequest) -> None:
        self._name = name
        self._client = client
        self._request = request
        self._protocol = StepProtocol(request)
        self._messages = step_messages(request, self._protocol)
        self._usage = Usage()
        self._step = ModelStep()
        self._text = ""
        self._spoken = ""
        self._temperature = request.model_settings.temperature

    @property
    def response(self) -> ModelResponse:
        """The answer, after `run`."""
        calls = [function_call(call.tool, call.arguments) for call in self._step.calls]
        reply = self._spoken if self._spoken.strip() else self._step.reply
        output: list[TResponseOutputItem] = [message(reply)] if reply.strip() else []
        return ModelResponse(output=[*output, *calls], usage=self._usage, response_id=None)

    async def run(self) -> AsyncGenerator[str, None]:
        """Gives out the reply as it comes."""
        for last in (False, True):
            try:
                async with aclosing(self._attempt()) as deltas:
                    async for delta in deltas:
                        yield delta
                break
            except (CutOffError, RunawayError) as error:
                if last or self._spoken.strip():
                    raise
                self._complain(f"That was cut off. {error.message} Be much shorter.", _SHOWN_OF_ENDLESS)
            except StepError as error:
                if last:
                    message = f"The language model's answer was unusable twice. {error}"
                    raise AgentError(ErrorCode.MODEL_MISBEHAVED, message) from error
                self._complain(str(error))
        self._request.counters.salvaged += self._step.salvaged * len(self._step.calls)

    def _complain(self, complaint: str, shown: int = _SHOWN) -> None:
        self._request.counters.repaired += 1
        self._request.counters.calls += 1
        self._temperature = max(self._temperature or 0.0, AGAIN_TEMPERATURE)
        said = _text_message("assistant", self._text[:shown])
        self._messages += [said, _text_message("user", f"{complaint} Answer again as you were told.")]

    async def _attempt(self) -> AsyncGenerator[str, None]:
        self._text, self._spoken = "", ""
        reader = ReplyReader()
        async with aclosing(self._pieces()) as pieces:
            async for piece in pieces:
                self._text += piece
                delta = reader.feed(piece)
                self._spoken += delta
                if delta:
                    yield delta
        try:
            self._step = self._protocol.parse(self._text)
        except StepError as error:
            if not self._spoken.strip():
                raise
            if not reader.complete:
                raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer broke off.") from error
            self._step = ModelStep(self._spoken)  # what comes after a whole reply is of no use, and the reply was heard
        if self._step.reply and not self._spoken:
            yield self._step.reply

    async def _pieces(self) -> AsyncGenerator[str, None]:
        settings = self._request.model_settings
        chunks: AsyncGenerator[ChatCompletionChunk, None] = await self._client.chat.completions.create(
            model=self._name,
            messages=self._messages,
            response_format=self._protocol.response_format,
            temperature=self._temperature,
            max_tokens=settings.max_tokens,
            stream=True,
            stream_options={"include_usage": True},
        )  # type: ignore[assignment] # see EndpointClient, whose streams are generators
        used: CompletionUsage | None = None
        try:
            async with aclosing(chunks):
                async for chunk in chunks:
                    used = chunk.usage or used
                    for choice in chunk.choices:
                        if choice.delta.content:
                            self._request.counters.note_piece()
                            yield choice.delta.content
        finally:
            self._usage.add(_usage(used))


def step_messages(request: ModelRequest, protocol: StepProtocol) -> list[_Message]:
    """The conversation of a request: calls as steps, results as what the person's side says."""
    system = f"{request.system_instructions or ''}\n\n{protocol.instructions}".strip()
    own = {tool.name for tool in request.tools}
    names: dict[str, str] = {}
    led = False
    messages = [_text_message("system", system)]
    for item in Converter.items_to_messages(request.input):
        message: dict[str, Any] = dict(item)
        if message["role"] == "tool":
            name, result = names.get(str(message["tool_call_id"]), "tool"), str(message["content"])
            leads = _leads(result)
            go_on = (_LED if leads else _STEP_DONE if led else _REPLY) if name in own else ""  # not after a handoff
            led |= leads
            messages.append(_text_message("user", f"Result of {name}: {result}\n{go_on}".rstrip("\n")))
            continue
        if message["role"] == "user":
            led = False  # what a person says counts more
        if message.get("content"):
            messages.append(_text_message(str(message["role"]), message["content"]))
        for call in message.get("tool_calls") or ():
            names[call["id"]] = call["function"]["name"]
            step = {"tool": call["function"]["name"], "args": _arguments(call["function"]["arguments"])}
            messages.append(_text_message("assistant", json.dumps(step)))
    return messages


class ReplyReader:
    """Decodes the value of `"reply"`, where that is the first key of the object.

    Attributes:
        complete: Whether the reply's closing quote has come.
    """

    def __init__(self) -> None:
        self.complete = False
        self._inside = False
        self._rest = ""

    def feed(self, text: str) -> str:
        """Takes the next piece of the JSON text; returns what it adds to the reply."""
        if self.complete:
            return ""
        self._rest += text
        if not self._inside:
            beginning = _BEGINNING.match(self._rest)
            if beginning is None:
                return ""
            self._inside = True
            self._rest = self._rest[beginning.end() :]
        match = _WHOLE.match(self._rest)
        end = match.end() if match else 0
        self.complete = self._rest[end : end + 1] == '"'
        half = None if self.complete else _HALF_CHARACTER.search(self._rest, max(0, end - 6), end)
        end = half.start() if half else end
        ready, self._rest = self._rest[:end], self._rest[end:]
        return well_formed(json.loads(f'"{ready}"', strict=False))


def _usage(used: CompletionUsage | None) -> Usage:
    if used is None:
        return Usage(requests=1)
    return Usage(1, used.prompt_tokens, output_tokens=used.completion_tokens, total_tokens=used.total_tokens)


def _text_message(role: str, content: Any) -> _Message:
    """One message."""
    return cast("_Message", {"role": role, "content": content})


def _leads(result: str) -> bool:
    """Whether a result says what is next; one that is marked as words of others leads nobody."""
    try:
        content = json.loads(result)
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and bool(content.get("next"))


def _arguments(text: str) -> Any:
    """Arguments of an earlier call; malformed ones stay as they are, or no later turn could be asked at all."""
    try:
        return json.loads(text or "{}")
    except json.JSONDecodeError:
        return text
