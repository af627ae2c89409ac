"""Asking a model server for what needs no model."""

from __future__ import annotations

import json
from typing import Any

import httpx2

from reachy_agent_ros.agent.model.bounded_transport import BoundedTransport
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.core.errors import AgentError, ErrorCode

QUESTION_TIME = 3.0
"""Seconds for each question."""


def server_http(endpoint: Endpoint) -> httpx2.AsyncClient:
    """An HTTP client for an endpoint's server."""
    timeout = httpx2.Timeout(QUESTION_TIME, connect=min(QUESTION_TIME, endpoint.connect_timeout))
    return httpx2.AsyncClient(timeout=timeout, headers=endpoint.headers, transport=BoundedTransport())


async def json_at(http: httpx2.AsyncClient, method: str, url: str, body: Any = None) -> dict[str, Any] | None:
    """The JSON object at a URL, None if there is none.

    Raises:
        AgentError: `MODEL_UNAVAILABLE`, nobody answers there.
    """
    try:
        response = await http.request(method, url, json=body)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        message = f"The language model's server does not answer ({type(error).__name__})."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error
    try:
        value = response.json() if response.is_success else None
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError):
        return None
    return value if isinstance(value, dict) else None
