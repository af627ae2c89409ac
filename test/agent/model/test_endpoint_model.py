import asyncio
import threading
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

import httpx2
import pytest
from openai import APIStatusError

from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.errors import refuses_tools
from reachy_agent_ros.agent.model.self_tests import SelfTests, ToolProtocol
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.testing.scripted_endpoint import ScriptedEndpoint


def protocol(server: ScriptedEndpoint, model: str = "scripted") -> ToolProtocol:
    async def ask() -> ToolProtocol:
        access = ModelAccess(Endpoint(server.url, model, timeout=5.0))
        try:
            return (await access.model()).protocol
        finally:
            await access.close()

    return asyncio.run(ask())


@pytest.mark.parametrize("kind", ["ollama", "llama.cpp", "openai"])
def test_uses_native_tools_after_successful_self_test(kind: str) -> None:
    with ScriptedEndpoint(kind=kind) as server:
        assert protocol(server) is ToolProtocol.NATIVE


@pytest.mark.parametrize("kind", ["ollama", "llama.cpp"])
def test_skips_self_test_when_server_reports_no_tools(kind: str) -> None:
    with ScriptedEndpoint(kind=kind, supports_tools=False) as server:
        assert protocol(server) is ToolProtocol.JSON_SCHEMA
        assert server.self_tests == []


@pytest.mark.parametrize("kind", ["ollama", "llama.cpp", "openai"])
def test_uses_json_protocol_when_model_fails_self_test(kind: str) -> None:
    with ScriptedEndpoint(kind=kind, passes_self_test=False) as server:
        assert protocol(server) is ToolProtocol.JSON_SCHEMA


def test_uses_json_protocol_when_server_rejects_tools() -> None:
    with ScriptedEndpoint(refuses_tools=True) as server:
        assert protocol(server) is ToolProtocol.JSON_SCHEMA


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "registry.ollama.ai/library/gemma3:4b does not support tools"),
        (404, "No endpoints found that support tool use."),
        (400, '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
        (500, "tools param requires --jinja flag"),
    ],
)
def test_recognizes_tool_rejection_by_server_in_any_wording(status: int, words: str) -> None:
    response = httpx2.Response(status, request=httpx2.Request("POST", "http://x/v1"))
    assert refuses_tools(APIStatusError(words, response=response, body=None))
    assert not refuses_tools(APIStatusError("no memory left", response=response, body=None))


def test_error_for_missing_ollama_model_names_model_and_remedy() -> None:
    with ScriptedEndpoint(kind="ollama") as server, pytest.raises(AgentError, match="ollama pull missing") as error:
        protocol(server, model="missing")
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_rejects_server_that_is_not_a_model_server() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "scripted")
        with pytest.raises(AgentError, match=r"No language model server answers at .*") as error:
            asyncio.run(ModelAccess(endpoint).model())
        server.shutdown()
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_request_without_configured_endpoint_raises_error() -> None:
    with pytest.raises(AgentError, match="No language model is configured") as error:
        asyncio.run(ModelAccess(Endpoint()).model())
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_uses_server_that_starts_after_first_request() -> None:
    with ScriptedEndpoint() as server:
        port = server.port

    async def ask() -> None:
        access = ModelAccess(Endpoint(f"http://127.0.0.1:{port}/v1", "scripted", timeout=5.0))
        with pytest.raises(AgentError):
            await access.model()
        assert not access.available
        with ScriptedEndpoint(port=port):
            await access.model()
            assert access.available

    asyncio.run(ask())


def test_error_hides_password_in_endpoint_url() -> None:
    assert Endpoint("http://me:secret@host:1/v1?key=secret").shown == "http://host:1/v1"
    assert "secret" not in repr(Endpoint(api_key="secret"))


@pytest.mark.slow
def test_self_test_result_is_stored_and_self_test_can_be_repeated(tmp_path: Path) -> None:
    tests = SelfTests(tmp_path / "models.json")
    with ScriptedEndpoint() as server:
        endpoint = Endpoint(server.url, "scripted")

        async def ask() -> ToolProtocol:
            access = ModelAccess(endpoint, self_tests=tests)
            try:
                return (await access.model()).protocol
            finally:
                await access.close()

        async def ask_again() -> ToolProtocol:
            return (await ModelAccess(endpoint, self_tests=tests).links[0].test_again()).protocol

        assert [asyncio.run(ask()), asyncio.run(ask())] == [ToolProtocol.NATIVE] * 2
        assert len(server.self_tests) == 1
        server.passes_self_test = False
        assert asyncio.run(ask()) is ToolProtocol.NATIVE
        assert asyncio.run(ask_again()) is ToolProtocol.JSON_SCHEMA
        assert asyncio.run(ask()) is ToolProtocol.JSON_SCHEMA
        assert len(server.self_tests) == 2


@pytest.mark.parametrize("content", ["", "{", "[]", '{"x": 1}', "\x00"])
def test_ignores_damaged_self_test_file(tmp_path: Path, content: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(content)
    with ScriptedEndpoint() as server:
        model = asyncio.run(ModelAccess(Endpoint(server.url, "scripted"), self_tests=SelfTests(path)).model())
        assert model.protocol is ToolProtocol.NATIVE
        assert len(server.self_tests) == 1
