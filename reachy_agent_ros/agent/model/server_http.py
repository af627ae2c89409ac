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

from reachy_agent_ros.agent.model.endpoint import LOCAL_OLLAMA, Endpoint
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
    try:
        response = await http.get(url)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise no_response(endpoint, error) from error
    try:
        value = response.json() if response.is_success else None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def no_response(endpoint: Endpoint, error: Exception) -> AgentError:
    """Returns the error for a server that does not respond, with instructions for the user."""
    is_default = endpoint.root == Endpoint(LOCAL_OLLAMA).root
    who, command = ("Ollama", " with ollama serve") if is_default else ("The language model's server", "")
    message = (
        f"{who} at {endpoint.shown} does not respond ({type(error).__name__}). "
        f"Start it{command}, or set model_endpoint to another server."
    )
    return AgentError(ErrorCode.MODEL_UNAVAILABLE, message)


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
