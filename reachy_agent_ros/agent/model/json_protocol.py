"""Client of the JSON protocol for models without tool support.

The prompt describes the tools, and a JSON schema constrains the answers.

The conversation is sent as plain text, because these servers do not know tool messages. The reply is extracted while
the answer is still being generated, so that speech can start early.
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
from reachy_agent_ros.agent.model.errors import CutOffError
from reachy_agent_ros.agent.model.request import ModelRequest, RequestModel
from reachy_agent_ros.agent.model.responses import completed, function_call, message, text_delta
from reachy_agent_ros.agent.model.step_protocol import ModelStep, StepError, StepProtocol
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.sanitised_text import well_formed

_SHOWN = 2000
"""Maximum length of an unusable answer that the model is shown again, characters."""

_SHOWN_OF_ENDLESS = 400
"""Maximum length for an endless answer, characters: the model would otherwise continue it."""

AGAIN_TEMPERATURE = 0.6
"""Minimum temperature of the second attempt: with greedy sampling a model would repeat its answer."""

_REPLY = 'Now tell me what came of it: {"reply": TEXT}, unless the request needs another tool.'
"""Added to a tool's result. Small models mistake a bare result for another request and call tools forever. Of the
wordings that were tried with a 1.5-billion-parameter model, only those that show the form of a reply help."""

_LED = 'If nothing is left to do but to tell me: {"reply": TEXT}.'
"""Added to a result that names the next action, as the results of planning tools do. If told to reply, a model would
abandon the plan."""

_STEP_DONE = 'Do not do that again. Go on with what comes next, if anything does; else tell me: {"reply": TEXT}.'
"""Added to other results while a plan is running: a model that is told again to do the step would do it twice."""

_Message: TypeAlias = ChatCompletionMessageParam

_BEGINNING = re.compile(r'\s*(?:```(?:json)?\s*)?\{\s*"reply"\s*:\s*"')
_WHOLE = re.compile(r'(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*')
_HALF_CHARACTER = re.compile(r"\\u[dD][89abAB][0-9a-fA-F]{2}$")


class JsonProtocolModel(RequestModel):
    """Model of an endpoint that uses the JSON step protocol (`StepProtocol`).

    The reply is streamed while it is generated. An unusable answer is sent back once with the error, unless part of it
    was already streamed, because the person would hear two answers.

    Args:
        name: Model name at the endpoint.
        client: Client of the endpoint.
    """

    def __init__(self, name: str, client: AsyncOpenAI) -> None:
        self._name = name
        self._client = client

    async def stream(self, request: ModelRequest) -> AsyncGenerator[TResponseStreamEvent, None]:
        """Streams the answer.

        Raises:
            AgentError: `MODEL_MISBEHAVED`: the second answer is unusable too, or a partly streamed one does not end;
                `MODEL_TRUNCATED`.
        """
        exchange = _Exchange(self._name, self._client, request)
        async with aclosing(exchange.run()) as deltas:
            async for delta in deltas:
                yield text_delta(delta)
        yield completed(self._name, exchange.response)


class _Exchange:
    """Sends one request to the model and reads the answer, with at most two attempts."""

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
        """Answer of the model, available after `run`."""
        calls = [function_call(call.tool, call.arguments) for call in self._step.calls]
        reply = self._spoken if self._spoken.strip() else self._step.reply
        output: list[TResponseOutputItem] = [message(reply)] if reply.strip() else []
        return ModelResponse(output=[*output, *calls], usage=self._usage, response_id=None)

    async def run(self) -> AsyncGenerator[str, None]:
        """Yields the reply as it is generated."""
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
                raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer was cut off.") from error
            self._step = ModelStep(self._spoken)  # the complete reply was heard, so text after it is ignored
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
    """Converts a conversation to text messages: tool calls become steps, and results become user messages."""
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
            led = False  # the person's words take precedence
        if message.get("content"):
            messages.append(_text_message(str(message["role"]), message["content"]))
        for call in message.get("tool_calls") or ():
            names[call["id"]] = call["function"]["name"]
            step = _step(call["function"]["name"], call["function"]["arguments"])
            messages.append(_text_message("assistant", step))
    return messages


class ReplyReader:
    """Incremental decoder of the value of `"reply"`, if that is the first key of the JSON object.

    Attributes:
        complete: Whether the reply's closing quote was read.
    """

    def __init__(self) -> None:
        self.complete = False
        self._inside = False
        self._rest = ""

    def feed(self, text: str) -> str:
        """Reads the next part of the JSON text and returns the new part of the reply."""
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
    return cast("_Message", {"role": role, "content": content})


def _leads(result: str) -> bool:
    """Returns whether a tool result prescribes the next action. A result marked as untrusted text never does so."""
    try:
        content = json.loads(result)
    except (ValueError, RecursionError):
        return False
    return isinstance(content, dict) and bool(content.get("next"))


def _step(tool: str, arguments: str) -> str:
    """Returns an earlier call as a step. Malformed arguments become a JSON string.

    An error would make all later turns fail.
    """
    try:
        return json.dumps({"tool": tool, "args": json.loads(arguments or "{}")})
    except (ValueError, RecursionError):
        return json.dumps({"tool": tool, "args": arguments})
