import asyncio
from contextlib import aclosing

import pytest
from agents import ModelSettings, ModelTracing
from agents.items import TResponseStreamEvent

from fuzz.targets.reply_server import ReplyServer
from reachy_agent_ros.agent.model.client import EndpointClient
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.endpoint_model import EndpointModel
from reachy_agent_ros.agent.model.request import ModelRequest
from reachy_agent_ros.agent.model.self_tests import ToolProtocol
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.agent.model_tools import model_tools

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"
WORD = b'data: {"choices": [{"index": 0, "delta": {"content": %b}}]}\n\n'
END = b'data: {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}\n\ndata: [DONE]\n\n'


@pytest.fixture(params=[ToolProtocol.NATIVE, ToolProtocol.JSON_SCHEMA])
def protocol(request: pytest.FixtureRequest) -> ToolProtocol:
    return ToolProtocol(request.param)


def events(protocol: ToolProtocol, *chunks: bytes) -> list[TResponseStreamEvent]:
    """Returns the events or the error of a stream from a server with a fixed response."""

    async def run() -> list[TResponseStreamEvent]:
        request = ModelRequest("", "Hello.", ModelSettings(), model_tools(), None, [], ModelTracing.DISABLED)
        async with ReplyServer() as server:
            server.reply = HEAD + b"".join(chunks)
            client = EndpointClient(Endpoint(server.url, "scripted", timeout=10.0))
            async with client, aclosing(EndpointModel("scripted", client, protocol).stream(request)) as stream:
                return [event async for event in stream]

    return asyncio.run(run())


@pytest.mark.parametrize(
    "wrong",
    [
        b"data: null\n\n",
        b'data: "hello"\n\n',
        b'data: {"choices": null}\n\n',
        b'data: {"choices": [{"index": 0, "delta": null}]}\n\n',
        WORD % b"5",
        b"data: " + b"[" * 5_000 + b"\n\n",
        b"data: \xff\n\n",
    ],
)
def test_invalid_stream_raises_model_misbehaved(protocol: ToolProtocol, wrong: bytes) -> None:
    with pytest.raises(AgentError, match="did not send a valid completion") as error:
        events(protocol, wrong, END)
    assert error.value.code is ErrorCode.MODEL_MISBEHAVED


def test_stream_replaces_lone_surrogate(protocol: ToolProtocol) -> None:
    words = {ToolProtocol.NATIVE: b'"a \\ud800 b"', ToolProtocol.JSON_SCHEMA: b'"{\\"reply\\": \\"a \\ud800 b\\"}"'}
    last = events(protocol, WORD % words[protocol], END)[-1]
    assert last.type == "response.completed"
    assert "a \ufffd b" in last.response.output[0].content[0].text


def test_answer_with_lone_surrogate_can_be_sent_back() -> None:
    with pytest.raises(AgentError, match="unusable twice"):
        events(ToolProtocol.JSON_SCHEMA, WORD % b'"no step \\ud800"', END)
