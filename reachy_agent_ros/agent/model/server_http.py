"""HTTP requests that query the state of a model server, with a maximum response size.

The client library would read an endless response into memory.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx2

from reachy_agent_ros.agent.model.endpoint import API_KEY_VARIABLE, LOCAL_OLLAMA, Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LARGEST = 8 * 1024 * 1024
"""Maximum size of a response, bytes: about 300 for each of the 8192 possible tokens, with a threefold margin."""

QUESTION_TIME = 3.0
"""Time limit for connecting and for each part of a response, s."""


def server_http(endpoint: Endpoint) -> httpx2.AsyncClient:
    """Returns an HTTP client for an endpoint's server."""
    timeout = httpx2.Timeout(QUESTION_TIME, connect=min(QUESTION_TIME, endpoint.connect_timeout))
    return httpx2.AsyncClient(timeout=timeout, headers=endpoint.headers, transport=BoundedTransport())


async def json_at(http: httpx2.AsyncClient, endpoint: Endpoint, url: str) -> dict[str, Any] | None:
    """Requests a JSON object from an endpoint's server. Returns None for an error status or any other content.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the server does not respond; `MODEL_MISBEHAVED`: the response is too large.
    """
    return _object(await _response(http, endpoint, url))


async def offered_models(http: httpx2.AsyncClient, endpoint: Endpoint) -> list[dict[str, Any]]:
    """Requests the list of models from an endpoint's server.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the server does not respond, rejects the request, or is not a model server;
            `MODEL_MISBEHAVED`: the response is too large.
    """
    response = await _response(http, endpoint, f"{endpoint.url.rstrip('/')}/models")
    models = _object(response)
    if models is None:
        problem, remedy = refusal(endpoint, response.status_code)
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, f"{problem}. {remedy}")
    return [entry for entry in models.get("data") or () if isinstance(entry, dict)]


def no_response(endpoint: Endpoint, error: Exception) -> AgentError:
    """Returns the error for a server that does not respond, with instructions for the user."""
    is_default = endpoint.root == Endpoint(LOCAL_OLLAMA).root
    who, command = ("Ollama", " with ollama serve") if is_default else ("The language model's server", "")
    message = (
        f"{who} at {endpoint.shown} does not respond ({type(error).__name__}). "
        f"Start it{command}, or set model_endpoint to another server."
    )
    return AgentError(ErrorCode.MODEL_UNAVAILABLE, message)


def refusal(endpoint: Endpoint, status: int) -> tuple[str, str]:
    """Explains a response without a list of models.

    Args:
        endpoint: Endpoint of the server.
        status: HTTP status of the response.

    Returns:
        The problem, without a period, and the remedy as a sentence.
    """
    server = f"The language model's server at {endpoint.shown}"
    if status in (401, 403):
        return (
            f"{server} {'rejects the' if endpoint.api_key else 'requires an'} API key (HTTP {status})",
            f"Set the environment variable {API_KEY_VARIABLE} (in models.yaml: the one in api_key_variable) to a valid "
            "key, and start the graph again.",
        )
    if status == 429:
        return f"{server} accepts no more requests for now (HTTP 429)", "Try again later, or check your quota there."
    if status in (500, 502, 503, 504):
        return f"{server} reports an error (HTTP {status})", "Wait until it has started, or check its log."
    return (
        f"No language model server answers at {endpoint.shown}: it returned no list of models (HTTP {status})",
        "Set model_endpoint to the base URL of a server, which usually ends in /v1.",
    )


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """HTTP transport that aborts responses larger than `LARGEST`, regardless of their declared length."""

    def __init__(self) -> None:
        super().__init__(verify=trusted_certificates())

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Sends a request and limits the size of its response. Implements `httpx2.AsyncBaseTransport`."""
        response = await super().handle_async_request(request)
        if isinstance(response.stream, httpx2.AsyncByteStream):
            response.stream = _BoundedStream(response.stream)
        return response


@cache
def trusted_certificates() -> ssl.SSLContext:
    """Returns the TLS context for verifying server certificates.

    It is created only once, because creation blocks the event loop for tens of milliseconds. A client without a context
    would create its own, even for plain HTTP.
    """
    return httpx2.create_ssl_context()


async def _response(http: httpx2.AsyncClient, endpoint: Endpoint, url: str) -> httpx2.Response:
    try:
        return await http.get(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise no_response(endpoint, error) from error


def _object(response: httpx2.Response) -> dict[str, Any] | None:
    try:
        value = response.json() if response.is_success else None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for piece in self._stream:
            size += len(piece)
            if size > LARGEST:
                message = f"The language model's server sent an answer larger than {LARGEST} bytes."
                raise AgentError(ErrorCode.MODEL_MISBEHAVED, message)
            yield piece

    async def aclose(self) -> None:
        await self._stream.aclose()
