"""Facts about a model server and its model: Ollama, llama.cpp, and other servers with the OpenAI API.

Ollama's own client is also used, for downloads and for the capabilities and context length of a model.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import httpx2
from ollama import AsyncClient, ProcessResponse, ResponseError, ShowResponse
from pydantic import ValidationError

from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint
from reachy_agent_ros.agent.model.server_http import QUESTION_TIME, json_at, server_http, trusted_certificates
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_CONTEXT = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_STALLED = 60.0
_UNREADABLE = (ValidationError, ValueError, TypeError, AttributeError)
"""Exceptions that the Ollama client raises for other servers, because it expects objects as responses and errors."""


@dataclass(frozen=True)
class ServerFacts:
    """Facts reported by a server, which are not verified.

    Attributes:
        server: `ollama`, `llama.cpp`, or `openai` for any other server.
        model: Name of the model: the configured one, or the first that the server offers.
        tools: Whether the model accepts tools; None if the server does not report it.
        context: Context length in tokens, None if unknown.
        edition: Value that changes when the model behind the name changes, as far as the server reports it.
        capabilities: Capabilities in Ollama's terms, such as `tools`, `vision` or `thinking`; empty if not reported.
    """

    server: str
    model: str
    tools: bool | None = None
    context: int | None = None
    edition: str = ""
    capabilities: tuple[str, ...] = ()

    @property
    def images(self) -> bool | None:
        """Whether the model accepts images; None if the server does not report it."""
        return "vision" in self.capabilities if self.capabilities else None


async def server_facts(endpoint: Endpoint) -> ServerFacts:
    """Requests facts about the server and its model, without using the model.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: no model server answers, or it does not have the model.
    """
    running = await OllamaServer(endpoint).running()
    async with server_http(endpoint) as http:
        if running is not None:
            return await _of_ollama(endpoint, http, running)
        properties = await json_at(http, "GET", f"{endpoint.root}/props")
        if properties is not None and "chat_template_caps" in properties:
            return _of_llama_cpp(endpoint, properties)
        offered = await _offered(endpoint, http)
        name = endpoint.model or _first(endpoint, offered)
        context = next((entry.get("max_model_len") for entry in offered if entry.get("id") == name), None)
        return ServerFacts("openai", name, context=context)


class OllamaServer:
    """Ollama API of an endpoint, whose server may not be Ollama.

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
        """Downloads the endpoint's model. Call it only at a person's request.

        Yields:
            Current step of Ollama and its progress, 0 to 1.

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
        """Translates exceptions of the Ollama client."""
        try:
            yield
        except ResponseError as error:
            raise AgentError(ErrorCode.MODEL_FAILED, f"Ollama reports an error: {error.error!s:.200}") from error
        except (ConnectionError, httpx.HTTPError, httpx.InvalidURL) as error:
            is_default = self._endpoint.root == Endpoint(LOCAL_OLLAMA).root
            who, command = ("Ollama", " with ollama serve") if is_default else ("The language model's server", "")
            message = (
                f"{who} at {self._endpoint.shown} does not respond ({type(error).__name__}). "
                f"Start it{command}, or set model_endpoint to another server."
            )
            raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error
        except _UNREADABLE as error:
            raise AgentError(
                ErrorCode.MODEL_FAILED, f"The answer is not that of an Ollama server: {error!s:.100}"
            ) from error


def context_of(model: str, running: ProcessResponse, shown: ShowResponse | None) -> int | None:
    """Returns the context length of a model in tokens, None if it is unknown until the model is loaded.

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


async def _of_ollama(endpoint: Endpoint, http: httpx2.AsyncClient, running: ProcessResponse) -> ServerFacts:
    name = endpoint.model or _first(endpoint, await _offered(endpoint, http))
    shown = await OllamaServer(endpoint).show(name)
    edition = shown.modified_at.isoformat() if shown.modified_at else ""
    capabilities = tuple(shown.capabilities or ())
    context = context_of(name, running, shown)
    return ServerFacts("ollama", name, "tools" in capabilities, context, edition, capabilities)


def _of_llama_cpp(endpoint: Endpoint, properties: dict[str, Any]) -> ServerFacts:
    settings = properties.get("default_generation_settings") or {}
    tools = bool(properties["chat_template_caps"].get("supports_tools"))
    path = str(properties.get("model_path", ""))
    modalities = properties.get("modalities")
    capabilities = ("completion", *filter(modalities.get, modalities)) if isinstance(modalities, dict) else ()
    # llama.cpp serves one model and accepts any name for it.
    return ServerFacts(
        "llama.cpp", endpoint.model or "default", tools, settings.get("n_ctx"), path, tuple(map(str, capabilities))
    )


async def _offered(endpoint: Endpoint, http: httpx2.AsyncClient) -> list[dict[str, Any]]:
    models = await json_at(http, "GET", f"{endpoint.url.rstrip('/')}/models")
    if models is None:
        message = f"No language model server answers at {endpoint.shown}."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message)
    return [entry for entry in models.get("data") or () if isinstance(entry, dict)]


def _first(endpoint: Endpoint, offered: list[dict[str, Any]]) -> str:
    if not offered:
        raise AgentError(
            ErrorCode.MODEL_UNAVAILABLE, f"The server at {endpoint.shown} offers no model: load one, or set model_name."
        )
    return str(offered[0].get("id", ""))
