import asyncio
import json
import unicodedata
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.toolbox.toolbox import OwnTools
from reachy_agent_ros.agent.web.engines import DdgsSearch, SearxngSearch, search_engine
from reachy_agent_ros.agent.web.search_engine import (
    LONGEST_TEXT,
    LONGEST_TITLE,
    LONGEST_URL,
    SearchResult,
    search_result,
    web_tools,
)
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome
from support.web_server import Answer, serving


def test_plain_search_result_is_unchanged() -> None:
    found = search_result("Tide tables", "https://example.org/tides?port=7", "High water at\n 14:05.")
    assert found == SearchResult("Tide tables", "https://example.org/tides?port=7", "High water at 14:05.")


def test_skips_search_results_without_http_url() -> None:
    for url in ("", "javascript:alert(1)", "file:///etc/passwd", "http://", "http://[", None, f"http://{'x' * 600}"):
        assert search_result("title", url, "text") is None


@given(st.text(max_size=3000), st.text(max_size=300), st.text(max_size=3000))
def test_search_results_have_bounded_length_and_only_visible_characters(title: str, path: str, text: str) -> None:
    found = search_result(title, f"http://example.org/{path}", text)
    if found is not None:
        assert len(found.title) <= LONGEST_TITLE
        assert len(found.url) <= LONGEST_URL
        assert len(found.text) <= LONGEST_TEXT
        assert not any(unicodedata.category(letter)[0] == "C" for letter in found.title + found.url + found.text)


def called(tools: OwnTools, arguments_json: str) -> ToolOutcome:
    return asyncio.run(tools.call(ToolCall("web_search", arguments_json, uuid.uuid4())))


def test_web_search_tool_is_not_offered_without_search_engine() -> None:
    assert web_tools(search_engine("off")) == []


def test_selects_search_engine_by_name() -> None:
    assert isinstance(search_engine("ddgs"), DdgsSearch)
    assert isinstance(search_engine("searxng", "http://localhost:8888"), SearxngSearch)


@pytest.mark.parametrize(
    ("name", "url"),
    [("google", ""), ("searxng", ""), ("searxng", "localhost:8888"), ("searxng", "file:///x"), ("searxng", "http://[")],
)
def test_rejects_invalid_search_engine(name: str, url: str) -> None:
    with pytest.raises(AgentError) as error:
        search_engine(name, url)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_web_search_results_contain_url_and_are_untrusted() -> None:
    rows = [{"url": "https://example.org", "title": "Tides", "content": "At 14:05."}]
    with serving(lambda path: Answer(json.dumps({"results": rows}).encode())) as url:
        tools = OwnTools(web_tools(search_engine("searxng", url)))
        outcome = called(tools, '{"query": "tides"}')
    assert json.loads(outcome.result_json) == {
        "results": [{"title": "Tides", "url": "https://example.org", "text": "At 14:05."}]
    }
    (tool,) = tools.catalogue()
    assert (tool.specialist, tool.untrusted_output) == ("web", True)


@pytest.mark.parametrize("arguments", [{}, {"query": ""}, {"query": "  "}, {"query": "x", "count": 11}, {"query": 7}])
def test_rejects_invalid_search_arguments_before_sending_request(arguments: dict[str, object]) -> None:
    asked: list[str] = []
    with serving(lambda path: asked.append(path) or Answer()) as url:
        outcome = called(OwnTools(web_tools(SearxngSearch(url))), json.dumps(arguments))
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.INVALID_ARGUMENTS
    assert asked == []
