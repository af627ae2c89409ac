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
def test_a_model_that_calls_tools_is_used_natively(kind: str) -> None:
    with ScriptedEndpoint(kind=kind) as server:
        assert protocol(server) is ToolProtocol.NATIVE


@pytest.mark.parametrize("kind", ["ollama", "llama.cpp"])
def test_a_server_that_says_no_is_believed_without_a_test(kind: str) -> None:
    with ScriptedEndpoint(kind=kind, supports_tools=False) as server:
        assert protocol(server) is ToolProtocol.JSON_SCHEMA
        assert server.self_tests == []


@pytest.mark.parametrize("kind", ["ollama", "llama.cpp", "openai"])
def test_a_claim_the_model_does_not_prove_is_not_believed(kind: str) -> None:
    with ScriptedEndpoint(kind=kind, passes_self_test=False) as server:
        assert protocol(server) is ToolProtocol.JSON_SCHEMA


def test_a_refusal_in_the_self_test_means_json() -> None:
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
def test_servers_refuse_tools_in_words_of_their_own(status: int, words: str) -> None:
    response = httpx2.Response(status, request=httpx2.Request("POST", "http://x/v1"))
    assert refuses_tools(APIStatusError(words, response=response, body=None))
    assert not refuses_tools(APIStatusError("no memory left", response=response, body=None))


def test_a_model_ollama_does_not_have_is_named_with_the_remedy() -> None:
    with ScriptedEndpoint(kind="ollama") as server, pytest.raises(AgentError, match="ollama pull missing") as error:
        protocol(server, model="missing")
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_something_else_at_the_address_is_not_taken_for_a_model() -> None:
    with HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler) as server:
        threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
        endpoint = Endpoint(f"http://127.0.0.1:{server.server_port}/v1", "scripted")
        with pytest.raises(AgentError, match=r"Nothing at .* answers as a language model's server") as error:
            asyncio.run(ModelAccess(endpoint).model())
        server.shutdown()
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_nothing_configured_says_so() -> None:
    with pytest.raises(AgentError, match="No language model is configured") as error:
        asyncio.run(ModelAccess(Endpoint()).model())
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_a_server_that_comes_late_is_found_at_the_next_question() -> None:
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


def test_a_password_in_the_address_is_not_shown() -> None:
    assert Endpoint("http://me:secret@host:1/v1?key=secret").shown == "http://host:1/v1"
    assert "secret" not in repr(Endpoint(api_key="secret"))


@pytest.mark.slow
def test_the_result_of_a_self_test_is_remembered_and_can_be_found_anew(tmp_path: Path) -> None:
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
def test_a_damaged_memory_of_self_tests_is_no_memory(tmp_path: Path, content: str) -> None:
    path = tmp_path / "models.json"
    path.write_text(content)
    with ScriptedEndpoint() as server:
        model = asyncio.run(ModelAccess(Endpoint(server.url, "scripted"), self_tests=SelfTests(path)).model())
        assert model.protocol is ToolProtocol.NATIVE
        assert len(server.self_tests) == 1
