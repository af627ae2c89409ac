"""HTTP client of an endpoint. Rejects truncated and endless answers, which the SDK accepts."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from functools import cached_property
from typing import Any

import httpx2
from openai import AsyncOpenAI, AsyncStream
from openai.resources.chat import AsyncChat
from openai.resources.chat.completions import AsyncCompletions
from openai.types.chat import ChatCompletionChunk

from reachy_agent_ros.agent.guardrails.runaway_text import MAX_CHARACTERS, RunawayText
from reachy_agent_ros.agent.model import chat_completions
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.errors import CutOffError
from reachy_agent_ros.agent.model.server_http import BoundedTransport
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.sanitised_text import well_formed

CHARACTERS_PER_TOKEN = 16
"""Upper limit of characters per token, above the average of any tokenizer. Longer answers exceed the token limit."""

_LARGE = ("messages", "tools", "response_format")


class EndpointClient(AsyncOpenAI):
    """HTTP client of one endpoint. Never retries a request, because a person is waiting for the answer.

    Args:
        endpoint: Endpoint to connect to.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(
            base_url=endpoint.url,
            api_key=endpoint.api_key or "none",
            timeout=httpx2.Timeout(endpoint.timeout, connect=endpoint.connect_timeout),
            max_retries=0,
            http_client=httpx2.AsyncClient(transport=BoundedTransport()),
        )

    @cached_property
    def chat(self) -> AsyncChat:
        """Chat completion API whose answers are validated."""
        return _Chat(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(self, *args: Any, **kwargs: Any) -> Any:
        # The library searches all values of these arguments for keys to rename, although chat has none. With twenty
        # tools, that takes longer than the rest of sending them; `extra_body` is not searched.
        large = {key: kwargs.pop(key) for key in _LARGE if isinstance(kwargs.get(key), list | dict)}
        body = {**(kwargs.pop("extra_body", None) or {}), **large}
        answer = await super().create(*args, messages=[], extra_body=body, **kwargs)
        most = kwargs.get("max_tokens")  # the SDK has its own value for "not given"
        watch = RunawayText(most * CHARACTERS_PER_TOKEN if isinstance(most, int) else MAX_CHARACTERS)
        if isinstance(answer, AsyncStream):
            return _checked_stream(answer, watch)
        chat_completions.require_completion(answer)
        _check(answer.choices[0].finish_reason)
        message = answer.choices[0].message
        watch.feed(message.content or "")
        message.content = message.content and chat_completions.ThoughtFilter().feed(message.content)
        return answer


async def _checked_stream(
    stream: AsyncStream[ChatCompletionChunk], watch: RunawayText
) -> AsyncGenerator[ChatCompletionChunk, None]:
    reason: str | None = None
    indices, thoughts = chat_completions.CallIndices(), chat_completions.ThoughtFilter()
    async with stream, aclosing(_chunks(stream)) as chunks:
        async for chunk in chunks:
            reason = next((choice.finish_reason for choice in chunk.choices if choice.finish_reason), reason)
            indices.correct(chunk)
            for piece in _pieces(chunk):
                watch.feed(piece)
            for choice in chunk.choices:
                choice.delta.content = choice.delta.content and thoughts.feed(choice.delta.content)
            yield chunk
    _check(reason)


async def _chunks(stream: AsyncStream[ChatCompletionChunk]) -> AsyncGenerator[ChatCompletionChunk, None]:
    try:
        async for chunk in stream:
            chat_completions.require_chunk(chunk)
            _repair(chunk)
            yield chunk
    except (UnicodeDecodeError, RecursionError) as error:  # the SDK's reader does not translate these
        raise chat_completions.no_completion() from error


def _repair(chunk: ChatCompletionChunk) -> None:
    """Replaces lone surrogates in a chunk. JSON allows them, but requests and databases do not."""
    for choice in chunk.choices:
        choice.delta.content = _repaired(choice.delta.content)
        choice.delta.refusal = _repaired(choice.delta.refusal)
        for call in choice.delta.tool_calls or ():
            call.id = _repaired(call.id)
            if call.function is not None:
                call.function.name = _repaired(call.function.name)
                call.function.arguments = _repaired(call.function.arguments)


def _repaired(text: str | None) -> str | None:
    return text if text is None or text.isascii() else well_formed(text)


def _pieces(chunk: ChatCompletionChunk) -> Iterator[str]:
    for choice in chunk.choices:
        yield choice.delta.content or ""
        for call in choice.delta.tool_calls or ():
            yield (call.function and call.function.arguments) or ""


def _check(finish_reason: str | None) -> None:
    if finish_reason == "length":
        raise CutOffError
    if finish_reason is None:
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer was cut off.")
