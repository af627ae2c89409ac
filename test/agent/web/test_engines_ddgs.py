"""Web search with the real library `ddgs`, redirected to a local server. No request leaves the machine."""

import asyncio
import threading
from collections.abc import Sequence

import pytest
from ddgs.engines.duckduckgo import Duckduckgo

from reachy_agent_ros.agent.web.engines import DdgsSearch
from reachy_agent_ros.agent.web.search_engine import SearchResult
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.web_server import Answer, serving

PAGE = "<html><body>{}</body></html>"
ENTRY = (
    '<div class="links_main result__body"><h2><a href="{0}">Title  of {0}</a></h2><a href="{0}">An excerpt.</a></div>'
)


def search(count: int = 5, engine_time: float = 5.0) -> Sequence[SearchResult]:
    return asyncio.run(DdgsSearch(("duckduckgo",), engine_time).search("tides", count))


def refused(monkeypatch: pytest.MonkeyPatch, url: str, engine_time: float = 5.0) -> AgentError:
    monkeypatch.setattr(Duckduckgo, "search_url", url)
    with pytest.raises(AgentError) as error:
        search(engine_time=engine_time)
    return error.value


def test_reads_web_search_results(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = "".join(ENTRY.format(f"https://example.org/{number}") for number in range(9))
    with serving(lambda path: Answer(PAGE.format(entries).encode())) as url:
        monkeypatch.setattr(Duckduckgo, "search_url", url)
        found = search(count=3)
    assert len(found) == 3
    assert found[0] == SearchResult("Title of https://example.org/0", "https://example.org/0", "An excerpt.")


@pytest.mark.parametrize("sent", [Answer(status=429), Answer(PAGE.encode()), Answer(b"\0garbage")])
def test_rejected_or_empty_web_search_raises_error(monkeypatch: pytest.MonkeyPatch, sent: Answer) -> None:
    with serving(lambda path: sent) as url:
        error = refused(monkeypatch, url)
    assert error.code is ErrorCode.SERVER_UNAVAILABLE
    assert "blocking programs" in error.message


def test_slow_search_engine_times_out(monkeypatch: pytest.MonkeyPatch) -> None:
    never = threading.Event()
    with serving(lambda path: Answer(after=never)) as url:
        error = refused(monkeypatch, url, engine_time=0.2)
        never.set()
    assert error.code is ErrorCode.TIMEOUT


def test_web_search_without_network_raises_error(monkeypatch: pytest.MonkeyPatch) -> None:
    error = refused(monkeypatch, "https://search.invalid/")  # a host name that never resolves
    assert error.code is ErrorCode.SERVER_UNAVAILABLE
    assert "online" in error.message
