"""Finding out how an endpoint's model calls tools."""

from __future__ import annotations

import json
from typing import Any

from openai import AsyncOpenAI
from openai.types.chat import ChatCompletionFunctionToolParam

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.errors import MODEL_EXCEPTIONS, agent_error, refuses_tools
from reachy_agent_ros.agent.model.self_tests import SelfTests
from reachy_agent_ros.agent.model.server_facts import ServerFacts
from reachy_agent_ros.agent.model.tool_protocol import ToolProtocol
from reachy_agent_ros.core.errors import ErrorCode

_SELF_TEST_TOOL: ChatCompletionFunctionToolParam = {
    "type": "function",
    "function": {
        "name": "report_number",
        "description": "Reports a number.",
        "parameters": {"type": "object", "properties": {"number": {"type": "integer"}}, "required": ["number"]},
    },
}


async def probe(endpoint: Endpoint, client: AsyncOpenAI, facts: ServerFacts, known: SelfTests) -> ToolProtocol:
    """Has the model prove that it calls tools, unless it is known.

    Servers claim too much (a template with tools is no model that uses them) or say nothing and drop the tools, so
    only a model that really makes a call in a self-test is used natively.

    Args:
        endpoint: What to probe.
        client: Its client.
        facts: What the server says.
        known: Results of earlier tests; takes this one's.

    Returns:
        The protocol to use.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` or `MODEL_FAILED`, the model could not be asked.
    """
    if facts.tools is False:
        return ToolProtocol.JSON_SCHEMA
    protocol = known.result(endpoint, facts)
    if protocol is None:
        calls = await _calls_a_tool(endpoint, client, facts.model)
        protocol = ToolProtocol.NATIVE if calls else ToolProtocol.JSON_SCHEMA
        known.keep(endpoint, facts, protocol)
    return protocol


async def _calls_a_tool(endpoint: Endpoint, client: AsyncOpenAI, model: str) -> bool:
    try:
        completion = await client.chat.completions.create(
            model=model,
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
