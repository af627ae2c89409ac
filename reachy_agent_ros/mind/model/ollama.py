"""Ollama beyond the OpenAI API: what a model can do, how much it may read, and getting it.

Plain HTTP, because it is four requests: the `ollama` package would bring a second HTTP stack with limits and errors of
its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from typing import Any

import httpx2

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model.endpoint import Endpoint
from reachy_agent_ros.mind.model.server_http import json_at, server_http

_CONTEXT = re.compile(r"^num_ctx\s+(\d+)\s*$", re.MULTILINE)
_STALLED = 60.0


async def is_ollama(endpoint: Endpoint, http: httpx2.AsyncClient) -> bool:
    """Whether Ollama answers there."""
    version = await json_at(http, "GET", f"{endpoint.root}/api/version")
    return version is not None and "version" in version


async def show(endpoint: Endpoint, http: httpx2.AsyncClient, model: str) -> dict[str, Any]:
    """What it tells of a model: `capabilities`, `parameters`, `modified_at`.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`, it does not have the model.
    """
    shown = await json_at(http, "POST", f"{endpoint.root}/api/show", {"model": model})
    if shown is None:
        message = f"Ollama at {endpoint.shown} has no model {model!r}; get it with: ollama pull {model}"
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message)
    return shown


async def context(endpoint: Endpoint, http: httpx2.AsyncClient, model: str, shown: dict[str, Any]) -> int | None:
    """Tokens that the model reads at most here, None where that cannot be known before it is loaded.

    Not the length that the model was made for, which `show` tells: Ollama cuts everything beyond the context that it
    was started with, at the front, where the tools are. Its OpenAI interface takes no `num_ctx`.
    """
    loaded = await json_at(http, "GET", f"{endpoint.root}/api/ps") or {}
    for entry in loaded.get("models") or ():
        if entry.get("name") in (model, f"{model}:latest") and entry.get("context_length"):
            return int(entry["context_length"])
    written = _CONTEXT.search(str(shown.get("parameters") or ""))
    return int(written[1]) if written else None


async def pull(endpoint: Endpoint) -> AsyncIterator[tuple[str, float]]:
    """Downloads the endpoint's model. Only a person who asks for it begins this.

    Yields:
        What Ollama is doing, and how much of it is done, 0 to 1.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`, nobody answers or the download stalls; `MODEL_FAILED`, Ollama's own words.
    """
    body = {"model": endpoint.model, "stream": True}
    try:
        async with (
            server_http(endpoint) as http,
            http.stream("POST", f"{endpoint.root}/api/pull", json=body, timeout=_STALLED) as response,
        ):
            async for line in response.aiter_lines():
                if line.strip():
                    yield _progress(line)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        message = f"Ollama at {endpoint.shown} does not answer ({type(error).__name__})."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error


def _progress(line: str) -> tuple[str, float]:
    try:
        told = json.loads(line)
    except json.JSONDecodeError as error:
        raise AgentError(ErrorCode.MODEL_FAILED, f"That is no answer of Ollama's: {line:.100}") from error
    if not isinstance(told, dict) or "error" in told:
        raise AgentError(ErrorCode.MODEL_FAILED, f"Ollama could not get the model: {told!s:.200}")
    total = told.get("total") or 0
    return str(told.get("status", "")), (told.get("completed") or 0) / total if total else 0.0
