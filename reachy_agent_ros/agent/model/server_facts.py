"""Facts about a model server and its model, for Ollama, llama.cpp and other servers with the OpenAI API."""

from __future__ import annotations

import asyncio
import importlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.server_http import json_at, offered_models, server_http
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    import httpx2


@dataclass(frozen=True)
class ServerFacts:
    """Unverified facts that a model server reports about itself and its model.

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
        """Whether the model accepts images; None if the server does not report this."""
        return "vision" in self.capabilities if self.capabilities else None


async def server_facts(endpoint: Endpoint) -> ServerFacts:
    """Requests facts about the server and its model, without loading the model.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: no model server answers, it rejects the request, or it does not have the model;
            `MODEL_MISBEHAVED`: a response is too large.
    """
    async with server_http(endpoint) as http:
        loaded = await json_at(http, endpoint, f"{endpoint.root}/api/ps")
        facts = await _of_ollama(endpoint, http) if loaded and "models" in loaded else None
        if facts is not None:
            return facts
        properties = await json_at(http, endpoint, f"{endpoint.root}/props")
        if properties is not None and "chat_template_caps" in properties:
            return _of_llama_cpp(endpoint, properties)
        offered = await offered_models(http, endpoint)
        name = endpoint.model or _first(endpoint, offered)
        context = next((entry.get("max_model_len") for entry in offered if entry.get("id") == name), None)
        return ServerFacts("openai", name, context=context)


async def _of_ollama(endpoint: Endpoint, http: httpx2.AsyncClient) -> ServerFacts | None:
    # Imported only for Ollama, because it takes a third of a second, and in a thread, which keeps the event loop free.
    await asyncio.to_thread(importlib.import_module, "reachy_agent_ros.agent.model.ollama_server")
    from reachy_agent_ros.agent.model.ollama_server import OllamaServer, context_of

    server = OllamaServer(endpoint)
    running = await server.running()
    if running is None:
        return None
    name = endpoint.model or _first(endpoint, await offered_models(http, endpoint))
    shown = await server.show(name)
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


def _first(endpoint: Endpoint, offered: list[dict[str, Any]]) -> str:
    if not offered:
        raise AgentError(
            ErrorCode.MODEL_UNAVAILABLE, f"The server at {endpoint.shown} offers no model: load one, or set model_name."
        )
    return str(offered[0].get("id", ""))
