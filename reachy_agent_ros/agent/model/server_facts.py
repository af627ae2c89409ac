"""What a model server tells of itself and of its model: Ollama, llama.cpp, and any other with the OpenAI API.

Ollama is asked beyond the OpenAI API, through its own client: what a model can do, how much it may read, and getting
it.
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

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.server_http import QUESTION_TIME, json_at, server_http, trusted_certificates
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_CONTEXT = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_STALLED = 60.0
_UNREADABLE = (ValidationError, ValueError, TypeError, AttributeError)
"""What the client raises where another server answers: it takes for granted that answers and errors are objects."""


@dataclass(frozen=True)
class ServerFacts:
    """As told, not as proven.

    Attributes:
        server: `ollama`, `llama.cpp` or `openai` for any other.
        model: Name of the model there: the one asked for, or the first that is offered.
        tools: Whether the model takes tools; None if the server does not say.
        context: Tokens the model reads at most, None if not known.
        edition: Changes when the model behind the name does, as far as the server tells.
        capabilities: In Ollama's words, such as `tools`, `vision` or `thinking`; empty where the server does not say.
    """

    server: str
    model: str
    tools: bool | None = None
    context: int | None = None
    edition: str = ""
    capabilities: tuple[str, ...] = ()


async def server_facts(endpoint: Endpoint) -> ServerFacts:
    """Asks the server, not the model.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`, nothing answers as a model's server, or it does not have the model.
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
    # It serves one model and takes any name for it.
    return ServerFacts("llama.cpp", endpoint.model or "default", tools, settings.get("n_ctx"), path)


async def _offered(endpoint: Endpoint, http: httpx2.AsyncClient) -> list[dict[str, Any]]:
    models = await json_at(http, "GET", f"{endpoint.url.rstrip('/')}/models")
    if models is None:
        message = f"Nothing at {endpoint.shown} answers as a language model's server."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message)
    return [entry for entry in models.get("data") or () if isinstance(entry, dict)]


def _first(endpoint: Endpoint, offered: list[dict[str, Any]]) -> str:
    if not offered:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"The server at {endpoint.shown} offers no model.")
    return str(offered[0].get("id", ""))
