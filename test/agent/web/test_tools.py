import asyncio
import json
import uuid

import pytest

from reachy_agent_ros.agent.toolbox.toolbox import OwnTools
from reachy_agent_ros.agent.web.engines import DdgsSearch, SearxngSearch, search_engine
from reachy_agent_ros.agent.web.tools import web_tools
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall, ToolOutcome
from support.web_server import Answer, serving


def called(tools: OwnTools, arguments_json: str) -> ToolOutcome:
    return asyncio.run(tools.call(ToolCall("web_search", arguments_json, uuid.uuid4())))


def test_without_an_engine_there_is_no_tool() -> None:
    assert web_tools(search_engine("off")) == []


def test_an_engine_is_chosen_by_name() -> None:
    assert isinstance(search_engine("ddgs"), DdgsSearch)
    assert isinstance(search_engine("searxng", "http://localhost:8888"), SearxngSearch)


@pytest.mark.parametrize(
    ("name", "url"),
    [("google", ""), ("searxng", ""), ("searxng", "localhost:8888"), ("searxng", "file:///x"), ("searxng", "http://[")],
)
def test_a_wrong_choice_is_refused(name: str, url: str) -> None:
    with pytest.raises(AgentError) as error:
        search_engine(name, url)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


def test_what_is_found_comes_with_its_source_and_as_words_of_others() -> None:
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
def test_wrong_arguments_are_refused_before_anything_is_sent(arguments: dict[str, object]) -> None:
    asked: list[str] = []
    with serving(lambda path: asked.append(path) or Answer()) as url:
        outcome = called(OwnTools(web_tools(SearxngSearch(url))), json.dumps(arguments))
    assert outcome.error is not None
    assert outcome.error.code is ErrorCode.INVALID_ARGUMENTS
    assert asked == []
