"""Client for the server of a vision model."""

from __future__ import annotations

from typing import Any

import httpx2
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, OpenAI, OpenAIError

from reachy_agent_ros.core.credentials import without_key
from reachy_agent_ros.core.errors import AgentError, ErrorCode


class CompletionClient:
    """Client for completions from an OpenAI-compatible server, without retries.

    Args:
        url: Base URL of the endpoint, usually ending in `/v1`.
        api_key: API key; empty for none.
        timeout: Timeout of a request, s.
    """

    def __init__(self, url: str, api_key: str, timeout: float) -> None:
        self._client = OpenAI(base_url=url, api_key=api_key or "none", timeout=timeout, max_retries=0)

    def complete(self, **request: Any) -> str:
        """Requests a completion. Returns the body of the response without validating it.

        Args:
            request: Parameters of the chat completion API.

        Raises:
            AgentError: `MODEL_UNAVAILABLE`, `MODEL_FAILED`, `MODEL_TRUNCATED` or `MODEL_MISBEHAVED`, with the reason.
        """
        try:
            return self._client.chat.completions.with_raw_response.create(**request).text
        except (OpenAIError, httpx2.HTTPError) as error:
            raise _agent_error(error) from error

    def close(self) -> None:
        """Closes the connections."""
        self._client.close()


def _agent_error(error: Exception) -> AgentError:
    if isinstance(error, APITimeoutError | httpx2.TimeoutException):
        return AgentError(ErrorCode.MODEL_UNAVAILABLE, "The vision model did not answer in time.")
    if isinstance(error, httpx2.HTTPError) or isinstance(
        error.__cause__, httpx2.RemoteProtocolError | httpx2.ReadError
    ):
        return AgentError(ErrorCode.MODEL_TRUNCATED, "The connection to the vision model was lost during the response.")
    if isinstance(error, APIConnectionError):
        return AgentError(ErrorCode.MODEL_UNAVAILABLE, "The vision model's server does not answer.")
    if isinstance(error, APIStatusError):
        message = f"The vision model's server answered with an error (HTTP {error.status_code}): {_said(error)}"
        return AgentError(ErrorCode.MODEL_FAILED, message)
    if isinstance(error, APIError):
        return AgentError(ErrorCode.MODEL_FAILED, f"The vision model's server failed: {_said(error)}")
    return AgentError(ErrorCode.MODEL_MISBEHAVED, f"The vision model's answer was unusable: {error!s:.200}")


def _said(error: APIError) -> str:
    return without_key(error.message, error.request.headers.get("Authorization", ""))[:200]
