"""What a model server tells of itself and of its model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import httpx2
from ollama import ProcessResponse

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.ollama_server import OllamaServer, context_of
from reachy_agent_ros.agent.model.server_http import json_at, server_http
from reachy_agent_ros.core.errors import AgentError, ErrorCode


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
