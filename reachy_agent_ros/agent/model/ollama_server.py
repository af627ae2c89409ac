"""Ollama beyond the OpenAI API, through its own client: what a model can do, how much it may read, and getting it."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import httpx
from ollama import AsyncClient, ProcessResponse, ResponseError, ShowResponse
from pydantic import ValidationError

from reachy_agent_ros.agent.model.bounded_transport import trusted_certificates
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.server_http import QUESTION_TIME
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_CONTEXT = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_STALLED = 60.0
_UNREADABLE = (ValidationError, ValueError, TypeError, AttributeError)
"""What the client raises where another server answers: it takes for granted that answers and errors are objects."""


class OllamaServer:
    """An endpoint that may be Ollama.

    Args:
        endpoint: Where to.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def running(self) -> ProcessResponse | None:
        """The models that are loaded; None where no Ollama answers.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, nobody answers at all.
        """
        try:
            with self._asking():
                async with self._client(QUESTION_TIME) as client:
                    running: ProcessResponse = await client.ps()
                    return running
        except AgentError as error:
            if error.code is ErrorCode.MODEL_FAILED:  # it answers, but not as Ollama does
                return None
            raise

    async def show(self, model: str) -> ShowResponse:
        """What it tells of a model.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, it does not have the model, or nobody answers.
        """
        try:
            with self._asking():
                async with self._client(QUESTION_TIME) as client:
                    shown: ShowResponse = await client.show(model)
                    return shown
        except AgentError as error:
            if error.code is not ErrorCode.MODEL_FAILED:
                raise
            message = f"Ollama at {self._endpoint.shown} has no model {model!r}; get it with: ollama pull {model}"
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error

    async def pull(self) -> AsyncIterator[tuple[str, float]]:
        """Downloads the endpoint's model. Only a person who asks for it begins this.

        Yields:
            What Ollama is doing, and how much of it is done, 0 to 1.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, nobody answers or the download stalls; `MODEL_FAILED`, Ollama's own words.
        """
        with self._asking():
            async with self._client(_STALLED) as client:
                async for told in await client.pull(self._endpoint.model, stream=True):
                    yield told.status or "", (told.completed or 0) / told.total if told.total else 0.0

    def _client(self, seconds: float) -> AsyncClient:
        timeout = httpx.Timeout(seconds, connect=min(seconds, self._endpoint.connect_timeout))
        verify = trusted_certificates()
        return AsyncClient(self._endpoint.root, timeout=timeout, headers=self._endpoint.headers, verify=verify)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        """Translates what the client raises."""
        try:
            yield
        except ResponseError as error:
            raise AgentError(ErrorCode.MODEL_FAILED, f"Ollama could not do it: {error.error!s:.200}") from error
        except (ConnectionError, httpx.HTTPError, httpx.InvalidURL) as error:
            message = f"Ollama at {self._endpoint.shown} does not answer ({type(error).__name__})."
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error
        except _UNREADABLE as error:
            raise AgentError(ErrorCode.MODEL_FAILED, f"That is no answer of Ollama's: {error!s:.100}") from error


def context_of(model: str, running: ProcessResponse, shown: ShowResponse | None) -> int | None:
    """Tokens that a model reads at most here, None where that cannot be known before it is loaded.

    Not the length that the model was made for: Ollama cuts everything beyond the context that it was started with, at
    the front, where the tools are. Its OpenAI interface takes no `num_ctx`.

    Args:
        model: Its name.
        running: The models that are loaded.
        shown: What the server tells of it, where that was asked.
    """
    for entry in running.models:
        if entry.name in (model, f"{model}:latest") and entry.context_length:
            return entry.context_length
    written = _CONTEXT.search((shown and shown.parameters) or "")
    return int(written[1]) if written else None
