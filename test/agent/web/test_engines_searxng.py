import asyncio
import json
import socket
import threading
from collections.abc import Sequence
from urllib.parse import parse_qs, urlsplit

import pytest

from reachy_agent_ros.agent.web.engines import LARGEST, SearxngSearch
from reachy_agent_ros.agent.web.search_engine import SearchResult
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support.web_server import Answer, serving


def row(number: int, content: str = "An excerpt.") -> dict[str, object]:
    """Returns a result row in the format of SearXNG 2026, including unused fields."""
    url = f"https://example.org/{number}"
    return {"url": url, "title": f"Page {number}", "content": content, "engine": "mojeek", "score": 1.0, "category": ""}


def answer(rows: object, **more: object) -> Answer:
    body = {"query": "tides", "number_of_results": 0, "results": rows, "unresponsive_engines": [], **more}
    return Answer(json.dumps(body).encode(), headers={"Content-Type": "application/json"})


def search(url: str, count: int = 5, time_limit: float = 10.0) -> Sequence[SearchResult]:
    return asyncio.run(SearxngSearch(url, time_limit).search("high tide & wind", count))


def refused(sent: Answer, time_limit: float = 10.0) -> AgentError:
    with serving(lambda path: sent) as url, pytest.raises(AgentError) as error:
        search(url, time_limit=time_limit)
    return error.value


def test_searxng_search_uses_json_api() -> None:
    asked: list[str] = []

    def answered(path: str) -> Answer:
        asked.append(path)
        return answer([row(1), row(2)])

    with serving(answered) as url:
        found = search(f"{url}/")
    assert found[0] == SearchResult("Page 1", "https://example.org/1", "An excerpt.")
    assert len(found) == 2
    assert urlsplit(asked[0]).path == "/search"
    assert parse_qs(urlsplit(asked[0]).query) == {"q": ["high tide & wind"], "format": ["json"]}


def test_limits_number_of_searxng_results() -> None:
    with serving(lambda path: answer([row(number, "long \0 words " * 100) for number in range(150)])) as url:
        found = search(url, count=3)
    assert len(found) == 3
    assert all(len(result.text) <= 500 and "\0" not in result.text for result in found)


def test_empty_searxng_result_is_valid_unless_engines_failed() -> None:
    with serving(lambda path: answer([])) as url:
        assert search(url) == []
    assert "engines behind it" in refused(answer([], unresponsive_engines=[["google", "timeout"]])).message


@pytest.mark.parametrize(
    ("sent", "told"),
    [
        (Answer(status=403), "add json to search.formats"),
        (Answer(status=429), "wait a minute"),
        (Answer(status=500, body=b"{}"), "HTTP status 500"),
        (Answer(b"<html>Hello</html>"), "check that it is a SearXNG server"),
        (Answer(b"[]"), "check that it is a SearXNG server"),
        (Answer(b"{}"), "check that it is a SearXNG server"),
        (Answer(b"[" * 100_000), "check that it is a SearXNG server"),
        (Answer(b'{"results": 7}'), "check that it is a SearXNG server"),
        (Answer(b'{"results": ["x"]}'), "check that it is a SearXNG server"),
        (Answer(b"\xff\xfe"), "check that it is a SearXNG server"),
        (Answer(b" " * (LARGEST + 1)), "more than 2000000 bytes"),
        (Answer(b"no gzip", headers={"Content-Encoding": "gzip"}), "cannot be reached"),
    ],
)
def test_searxng_errors_contain_remedy(sent: Answer, told: str) -> None:
    error = refused(sent)
    assert error.code is ErrorCode.SERVER_UNAVAILABLE
    assert told in error.message


def test_searxng_search_does_not_follow_redirects() -> None:
    asked: list[str] = []

    def secret(path: str) -> Answer:
        asked.append(path)
        return answer([row(1)])

    with serving(secret) as inside:
        error = refused(Answer(status=302, headers={"Location": f"{inside}/secret"}))
    assert "redirects, which is not followed" in error.message
    assert asked == []


def test_slow_searxng_server_times_out() -> None:
    never = threading.Event()
    error = refused(Answer(after=never), time_limit=0.05)
    never.set()
    assert error.code is ErrorCode.TIMEOUT
    assert "try again later" in error.message


def test_unreachable_searxng_server_raises_error() -> None:
    with socket.socket() as port:  # bound, but not listening
        port.bind(("127.0.0.1", 0))
        with pytest.raises(AgentError) as error:
            search(f"http://127.0.0.1:{port.getsockname()[1]}")
    assert error.value.code is ErrorCode.SERVER_UNAVAILABLE
    assert "check that it is running" in error.value.message
