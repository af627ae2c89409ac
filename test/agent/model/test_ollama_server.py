from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator

import pytest

from reachy_agent_ros.agent.model.endpoint import Endpoint
from reachy_agent_ros.agent.model.ollama_server import OllamaServer
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.page_server import Pages


@pytest.fixture
def pages() -> Iterator[Pages]:
    with Pages() as served:
        yield served


async def pulled(endpoint: Endpoint) -> list[tuple[str, float]]:
    return [progress async for progress in OllamaServer(endpoint).pull()]


def test_model_download_reports_progress(pages: Pages) -> None:
    lines = [{"status": "pulling manifest"}, {"status": "pulling", "total": 4, "completed": 1}, {"status": "success"}]
    pages.pages["/api/pull"] = [json.dumps(line) for line in lines]
    assert asyncio.run(pulled(Endpoint(pages.url, "qwen3:8b"))) == [
        ("pulling manifest", 0.0),
        ("pulling", 0.25),
        ("success", 0.0),
    ]


@pytest.mark.parametrize("line", ['{"error": "file does not exist"}', "<html>", "[1]"])
def test_failed_model_download_raises_error(pages: Pages, line: str) -> None:
    pages.pages["/api/pull"] = [line]
    with pytest.raises(AgentError) as error:
        asyncio.run(pulled(Endpoint(pages.url, "qwen3:8b")))
    assert error.value.code is ErrorCode.MODEL_FAILED


def test_model_download_without_server_raises_error() -> None:
    with pytest.raises(AgentError) as error:
        asyncio.run(pulled(Endpoint("http://127.0.0.1:9/v1", "x")))
    assert error.value.code is ErrorCode.MODEL_UNAVAILABLE
