import asyncio
from collections.abc import Iterator

import pytest

from reachy_agent_ros.agent.model import server_http
from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.server_facts import ServerFacts, server_facts
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.page_server import Pages
from support.web_server import Answer, serving


@pytest.fixture
def pages() -> Iterator[Pages]:
    with Pages() as served:
        yield served


def endpoint(pages: Pages) -> Endpoint:
    return Endpoint(pages.url, "qwen3:8b")


def facts(pages: Pages) -> ServerFacts:
    return asyncio.run(server_facts(endpoint(pages)))


def test_reads_capabilities_context_length_and_date_from_ollama(pages: Pages) -> None:
    pages.pages |= {
        "/api/show": {"capabilities": ["completion", "tools"], "modified_at": "2026-01-01T00:00:00Z", "model_info": {}},
        "/api/ps": {"models": [{"name": "qwen3:8b", "context_length": 4096}]},
    }
    assert facts(pages) == ServerFacts(
        "ollama", "qwen3:8b", True, 4096, "2026-01-01T00:00:00+00:00", ("completion", "tools")
    )


def test_server_facts_use_context_length_of_model_file_until_model_is_loaded(pages: Pages) -> None:
    pages.pages |= {
        "/api/show": {
            "parameters": "temperature 0.7\nnum_ctx                        16384\n",
            "capabilities": [],
            "model_info": {},
        },
        "/api/ps": {"models": []},
    }
    assert facts(pages) == ServerFacts("ollama", "qwen3:8b", False, 16384)


def test_reads_context_length_from_llama_cpp(pages: Pages) -> None:
    pages.pages["/props"] = {
        "chat_template_caps": {"supports_tools": True},
        "default_generation_settings": {"n_ctx": 8192},
        "model_path": "model.gguf",
    }
    assert facts(pages) == ServerFacts("llama.cpp", "qwen3:8b", True, 8192, "model.gguf")


@pytest.mark.parametrize(
    ("modalities", "images"), [({"vision": True}, True), ({"vision": False, "audio": True}, False), (None, None)]
)
def test_reads_image_support_from_llama_cpp(pages: Pages, modalities: object, images: bool | None) -> None:
    pages.pages["/props"] = {"chat_template_caps": {}, "modalities": modalities}
    assert facts(pages).images is images


def test_reads_context_length_from_other_servers(pages: Pages) -> None:
    pages.pages["/v1/models"] = {"data": [{"id": "other"}, {"id": "qwen3:8b", "max_model_len": 32768}]}
    assert facts(pages) == ServerFacts("openai", "qwen3:8b", None, 32768)


def test_uses_first_model_of_server_if_none_is_named(pages: Pages) -> None:
    pages.pages["/v1/models"] = {"data": [{"id": "first"}, {"id": "second"}]}
    assert asyncio.run(server_facts(Endpoint(pages.url))).model == "first"
    pages.pages["/v1/models"] = {"data": []}
    with pytest.raises(AgentError, match="offers no model"):
        asyncio.run(server_facts(Endpoint(pages.url)))


def test_error_calls_only_default_server_ollama(monkeypatch: pytest.MonkeyPatch) -> None:
    silent = Endpoint("http://127.0.0.1:9/v1", "qwen3:8b")
    with pytest.raises(AgentError, match=r"The language model's server at http://127\.0\.0\.1:9/v1 does not respond"):
        asyncio.run(server_facts(silent))
    monkeypatch.setattr(server_http, "LOCAL_OLLAMA", silent.url)
    with pytest.raises(AgentError, match=r"Ollama at http://127\.0\.0\.1:9/v1 does not respond .* with ollama serve"):
        asyncio.run(server_facts(silent))


@pytest.mark.parametrize(
    ("status", "key", "message"),
    [
        (401, "wrong", r"rejects the API key \(HTTP 401\)\. Set the environment variable REACHY_AGENT_API_KEY"),
        (403, "", r"requires an API key \(HTTP 403\)"),
        (429, "", r"accepts no more requests for now \(HTTP 429\)\. Try again later"),
        (503, "", r"reports an error \(HTTP 503\)\. Wait until it has started"),
        (404, "", r"No language model server answers .* \(HTTP 404\)\. Set model_endpoint to the base URL"),
    ],
)
def test_error_explains_http_status_of_server(status: int, key: str, message: str) -> None:
    with serving(lambda _path: Answer(status=status)) as address, pytest.raises(AgentError, match=message) as error:
        asyncio.run(server_facts(Endpoint(f"{address}/v1", "gpt", api_key=key)))
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE
