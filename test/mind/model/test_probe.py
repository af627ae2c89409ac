import asyncio

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.model.access import ModelAccess
from reachy_agent_ros.mind.model.endpoint import Endpoint
from reachy_agent_ros.mind.model.endpoint_model import ToolProtocol
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


def test_a_model_ollama_does_not_have_is_named_with_the_remedy() -> None:
    with ScriptedEndpoint(kind="ollama") as server, pytest.raises(AgentError, match="ollama pull missing") as error:
        protocol(server, model="missing")
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE


def test_something_else_at_the_address_is_not_taken_for_a_model() -> None:
    with ScriptedEndpoint() as server:
        server.get = lambda _path: None  # type: ignore[method-assign]
        with pytest.raises(AgentError) as error:
            protocol(server)
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
