"""Converts errors of language models and their servers to `AgentError` with readable messages."""

from __future__ import annotations

import json
import re

import httpx2
from agents.exceptions import MaxTurnsExceeded, ModelBehaviorError, ModelRefusalError, UserError
from openai import APIConnectionError, APIError, APIStatusError, APITimeoutError, OpenAIError

from reachy_agent_ros.core.credentials import without_key
from reachy_agent_ros.core.errors import AgentError, ErrorCode

MODEL_EXCEPTIONS = (
    AgentError,
    OpenAIError,
    MaxTurnsExceeded,
    ModelBehaviorError,
    ModelRefusalError,
    UserError,  # the SDK wraps exceptions of tools in it
    httpx2.HTTPError,
    json.JSONDecodeError,
)
"""All exceptions that a failed model call can raise."""

_REFUSES_TOOLS = re.compile(r"support\w* tools?\b|tool.choice requires|tools? param requires", re.IGNORECASE)
_UNAVAILABLE = ErrorCode.MODEL_UNAVAILABLE


class CutOffError(AgentError):
    """Error for an answer that exceeded its maximum length."""

    def __init__(self) -> None:
        super().__init__(ErrorCode.MODEL_TRUNCATED, "The language model's answer exceeded its maximum length.")


def agent_error(error: Exception) -> AgentError:
    """Converts one of `MODEL_EXCEPTIONS` to an `AgentError`."""
    if isinstance(error, AgentError):
        return error
    if isinstance(error.__cause__, AgentError):  # the client wraps exceptions that are raised while it reads an answer
        return error.__cause__
    if isinstance(error, APITimeoutError | httpx2.TimeoutException):
        return AgentError(_UNAVAILABLE, "The language model did not answer in time.")
    if isinstance(error, httpx2.HTTPError) or isinstance(
        error.__cause__, httpx2.RemoteProtocolError | httpx2.ReadError
    ):
        return AgentError(ErrorCode.MODEL_TRUNCATED, "The connection to the language model was lost.")
    if isinstance(error, APIConnectionError):
        return AgentError(_UNAVAILABLE, "The language model's server does not respond.")
    if isinstance(error, APIStatusError):
        failed = f"answered with an error (HTTP {error.status_code}): {_said(error)}"
        message = "is overloaded (HTTP 429)." if error.status_code == 429 else failed
        return AgentError(ErrorCode.MODEL_FAILED, f"The language model's server {message}")
    if isinstance(error, MaxTurnsExceeded):
        return AgentError(ErrorCode.BUDGET_EXCEEDED, "The language model exceeded the step limit of a turn.")
    if isinstance(error, APIError):
        return AgentError(ErrorCode.MODEL_FAILED, f"The language model's server failed: {_said(error)}")
    return AgentError(ErrorCode.MODEL_MISBEHAVED, f"The language model's answer was unusable: {error!s:.200}")


def refuses_tools(error: Exception) -> bool:
    """Returns whether the server reported that it does not accept tools for this model.

    Ollama: "... does not support tools"; OpenRouter: "No endpoints found that support tool use"; vLLM: "... tool
    choice requires --enable-auto-tool-choice ..."; llama.cpp: "tools param requires --jinja flag".
    """
    return isinstance(error, APIStatusError) and _REFUSES_TOOLS.search(error.message) is not None


def is_busy(error: Exception) -> bool:
    """Returns whether the server is overloaded (429) or still loading the model (503), so that a retry may succeed."""
    return isinstance(error, APIStatusError) and error.status_code in (429, 503)


def _said(error: APIError) -> str:
    return without_key(error.message, error.request.headers.get("Authorization", ""))[:200]
