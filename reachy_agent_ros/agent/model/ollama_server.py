"""Client of Ollama's own API, which downloads models and reports their capabilities and context lengths."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager

import httpx
from ollama import AsyncClient, ProcessResponse, ResponseError, ShowResponse
from pydantic import ValidationError

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.server_http import QUESTION_TIME, no_response, trusted_certificates
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_CONTEXT = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_STALLED = 60.0
_UNREADABLE = (ValidationError, ValueError, TypeError, AttributeError)
"""Exceptions that the Ollama client raises if another server sends a response or an error of a different form."""


class OllamaServer:
    """Client of the Ollama API for an endpoint. The server of the endpoint may be of another kind.

    Args:
        endpoint: Endpoint of the server.
    """

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def running(self) -> ProcessResponse | None:
        """Returns the loaded models; None if the server is not Ollama.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: no server answers.
        """
        try:
            with self._asking():
                async with self._client(QUESTION_TIME) as client:
                    running: ProcessResponse = await client.ps()
                    return running
        except AgentError as error:
            if error.code is ErrorCode.MODEL_FAILED:  # another server answers
                return None
            raise

    async def show(self, model: str) -> ShowResponse:
        """Returns Ollama's description of a model.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: Ollama does not have the model, or does not answer.
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
        """Downloads the endpoint's model. Call this only when a user requests the download.

        Yields:
            Name of the current step, and its progress from 0 to 1.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`: no response, or a stalled download; `MODEL_FAILED`: an error from Ollama.
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
        """Converts exceptions of the Ollama client to `AgentError`."""
        try:
            yield
        except ResponseError as error:
            raise AgentError(ErrorCode.MODEL_FAILED, f"Ollama reports an error: {error.error!s:.200}") from error
        except (ConnectionError, httpx.HTTPError, httpx.InvalidURL) as error:
            raise no_response(self._endpoint, error) from error
        except _UNREADABLE as error:
            raise AgentError(
                ErrorCode.MODEL_FAILED, f"The server's answer does not follow the Ollama API: {error!s:.100}"
            ) from error


def context_of(model: str, running: ProcessResponse, shown: ShowResponse | None) -> int | None:
    """Returns the context length (tokens) of a model; None if Ollama reports it only after loading the model.

    This is not the maximum length of the model: Ollama truncates requests at the front, where the tools are, to the
    context that it was started with. Its OpenAI interface does not accept `num_ctx`.

    Args:
        model: Name of the model.
        running: Loaded models.
        shown: Ollama's description of the model, None if it was not requested.
    """
    for entry in running.models:
        if entry.name in (model, f"{model}:latest") and entry.context_length:
            return entry.context_length
    written = _CONTEXT.search((shown and shown.parameters) or "")
    return int(written[1]) if written else None
