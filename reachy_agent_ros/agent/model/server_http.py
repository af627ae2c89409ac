"""HTTP requests about a model server, with a maximum response size.

The client library would read an endless response into memory.
"""

from __future__ import annotations

import json
import ssl
from collections.abc import AsyncIterator
from functools import cache
from typing import Any

import httpx2

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode

LARGEST = 8 * 1024 * 1024
"""Maximum size of a response, bytes: about 300 for each of the 8192 possible tokens, with a threefold margin."""

QUESTION_TIME = 3.0
"""Time limit of each request, s."""


def server_http(endpoint: Endpoint) -> httpx2.AsyncClient:
    """Returns an HTTP client for an endpoint's server."""
    timeout = httpx2.Timeout(QUESTION_TIME, connect=min(QUESTION_TIME, endpoint.connect_timeout))
    return httpx2.AsyncClient(timeout=timeout, headers=endpoint.headers, transport=BoundedTransport())


async def json_at(http: httpx2.AsyncClient, method: str, url: str, body: Any = None) -> dict[str, Any] | None:
    """Requests the JSON object at a URL, and returns None if there is none.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`: the server does not respond.
    """
    try:
        response = await http.request(method, url, json=body)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        message = f"The language model's server does not respond ({type(error).__name__})."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error
    try:
        value = response.json() if response.is_success else None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


class BoundedTransport(httpx2.AsyncHTTPTransport):
    """HTTP transport that aborts responses larger than `LARGEST`, regardless of their declared length."""

    def __init__(self) -> None:
        super().__init__(verify=trusted_certificates())

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        """Implements `httpx2.AsyncBaseTransport`."""
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
