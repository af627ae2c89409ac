"""The HTTP client of an endpoint; it refuses answers that were cut off, which the SDK would take for whole."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import cached_property
from typing import Any

from openai import AsyncOpenAI, AsyncStream
from openai.resources.chat import AsyncChat
from openai.resources.chat.completions import AsyncCompletions
from openai.types.chat import ChatCompletion, ChatCompletionChunk

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model.endpoint import Endpoint


class EndpointClient(AsyncOpenAI):
    """Client of one endpoint. It does not retry: the turn's time belongs to the person who waits.

    Args:
        endpoint: Where to.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        super().__init__(
            base_url=endpoint.url,
            api_key=endpoint.api_key or "none",
            timeout=endpoint.timeout,
            max_retries=0,
        )

    @cached_property
    def chat(self) -> AsyncChat:
        """Chat completions, checked."""
        return _Chat(self)


class _Chat(AsyncChat):
    @cached_property
    def completions(self) -> AsyncCompletions:
        return _Completions(self._client)


class _Completions(AsyncCompletions):
    async def create(self, *args: Any, **kwargs: Any) -> Any:
        answer = await super().create(*args, **kwargs)
        if isinstance(answer, AsyncStream):
            return _checked_stream(answer)
        if not isinstance(answer, ChatCompletion) or not answer.choices:
            raise AgentError(ErrorCode.MODEL_MISBEHAVED, "The language model's server answered with no completion.")
        _check(answer.choices[0].finish_reason)
        return answer


async def _checked_stream(stream: AsyncStream[ChatCompletionChunk]) -> AsyncIterator[ChatCompletionChunk]:
    reason: str | None = None
    async with stream:
        async for chunk in stream:
            reason = next((choice.finish_reason for choice in chunk.choices if choice.finish_reason), reason)
            yield chunk
    _check(reason)


def _check(finish_reason: str | None) -> None:
    if finish_reason == "length":
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer was longer than it may be.")
    if finish_reason is None:
        raise AgentError(ErrorCode.MODEL_TRUNCATED, "The language model's answer broke off.")
