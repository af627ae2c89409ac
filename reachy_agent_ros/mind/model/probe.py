"""Finding out what an endpoint is and how its model calls tools."""

from __future__ import annotations

import json
from typing import Any

import httpx2
from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionFunctionToolParam

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model.endpoint import Endpoint
from reachy_agent_ros.mind.model.endpoint_model import ToolProtocol
from reachy_agent_ros.mind.model.errors import MODEL_EXCEPTIONS, agent_error, refuses_tools

PROBE_TIMEOUT = 3.0
"""Seconds for each of the questions that need no model."""

_SELF_TEST_TOOL: ChatCompletionFunctionToolParam = {
    "type": "function",
    "function": {
        "name": "report_number",
        "description": "Reports a number.",
        "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    },
}


async def probe(endpoint: Endpoint, client: AsyncOpenAI) -> ToolProtocol:
    """Asks the server what the model can do, and the model to prove it.

    Servers claim too much (a template with tools is no model that uses them) or say nothing and drop the tools, so
    only a model that really makes a call in a self-test is used natively.

    Args:
        endpoint: What to probe.
        client: Its client.

    Returns:
        The protocol to use.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` when nothing answers or it does not have the model.
    """
    async with httpx2.AsyncClient(timeout=PROBE_TIMEOUT, headers=endpoint.headers) as http:
        claims = await _ollama_claim(endpoint, http)
        if claims is None:
            claims = await _llama_cpp_claim(endpoint, http)
        if claims is None:
            await _require_models(endpoint, http)
    if claims is False or not await _calls_a_tool(endpoint, client):
        return ToolProtocol.JSON_SCHEMA
    return ToolProtocol.NATIVE


async def _ollama_claim(endpoint: Endpoint, http: httpx2.AsyncClient) -> bool | None:
    """Whether Ollama says that the model takes tools; None if it is not Ollama."""
    if await _json(http, "GET", f"{endpoint.root}/api/version") is None:
        return None
    shown = await _json(http, "POST", f"{endpoint.root}/api/show", {"model": endpoint.model})
    if shown is None:
        message = (
            f"Ollama at {endpoint.shown} has no model {endpoint.model!r}; get it with: ollama pull {endpoint.model}"
        )
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message)
    return "tools" in shown.get("capabilities", [])


async def _llama_cpp_claim(endpoint: Endpoint, http: httpx2.AsyncClient) -> bool | None:
    """Whether llama.cpp's server says that the model's template takes tools; None if it is not llama.cpp."""
    properties = await _json(http, "GET", f"{endpoint.root}/props")
    if properties is None or "chat_template_caps" not in properties:
        return None
    return bool(properties["chat_template_caps"].get("supports_tools"))


async def _require_models(endpoint: Endpoint, http: httpx2.AsyncClient) -> None:
    if await _json(http, "GET", f"{endpoint.url.rstrip('/')}/models") is None:
        message = f"Nothing at {endpoint.shown} answers as a language model's server."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message)


async def _json(http: httpx2.AsyncClient, method: str, url: str, body: Any = None) -> dict[str, Any] | None:
    """The JSON object at a URL, None if there is none."""
    try:
        response = await http.request(method, url, json=body)
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        message = f"The language model's server does not answer ({type(error).__name__})."
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, message) from error
    try:
        value = response.json() if response.is_success else None
    except json.JSONDecodeError:
        return None
    return value if isinstance(value, dict) else None


async def _calls_a_tool(endpoint: Endpoint, client: AsyncOpenAI) -> bool:
    try:
        completion = await client.chat.completions.create(
            model=endpoint.model,
            messages=[{"role": "user", "content": "Use the tool report_number to report the number 7."}],
            tools=[_SELF_TEST_TOOL],
            temperature=0.0,
            max_tokens=endpoint.max_tokens,
        )
        calls: Any = completion.choices[0].message.tool_calls or []
        return any(json.loads(call.function.arguments) == {"number": 7} for call in calls)
    except MODEL_EXCEPTIONS as error:
        failure = agent_error(error)
        if refuses_tools(error) or failure.code in (ErrorCode.MODEL_TRUNCATED, ErrorCode.MODEL_MISBEHAVED):
            return False
        raise failure from error
