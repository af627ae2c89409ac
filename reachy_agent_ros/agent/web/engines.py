"""Web search engines: public ones with the library ddgs, and SearXNG servers.

`search_engine` makes the one that the configuration names. A SearXNG server is one's own, or one that somebody is
trusted to run.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Sequence
from typing import Any

import httpx2

from reachy_agent_ros.agent.web.search_engine import SearchEngine, SearchResult, is_web_address, search_result
from reachy_agent_ros.core.errors import AgentError, ErrorCode

OFF = "off"
DDGS = "ddgs"
SEARXNG = "searxng"
ENGINE_NAMES = (OFF, DDGS, SEARXNG)

ENGINES = ("duckduckgo", "mojeek", "wikipedia")
"""The engines that receive the words of a search. The library's default would be eight companies."""

ENGINE_TIME = 4.0
"""Seconds for each of them."""

SEARCH_TIME = 10.0
"""Seconds for a whole answer; the server itself waits for the engines behind it."""

LARGEST = 2_000_000
"""Bytes of an answer; an honest one has 20 to 200 kB."""


def search_engine(name: str, url: str = "") -> SearchEngine | None:
    """The engine of a name; None where searching is off.

    Args:
        name: One of `ENGINE_NAMES`.
        url: Of the SearXNG server.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there is no such engine, or the server has no address.
    """
    if name not in ENGINE_NAMES:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r} is not a search engine: {', '.join(ENGINE_NAMES)}.")
    if name == OFF:
        return None
    if name == DDGS:
        return DdgsSearch()
    if not is_web_address(url) or "?" in url or "#" in url:
        reason = f"{url!r} is not the address of a SearXNG server, such as http://localhost:8888."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
    return SearxngSearch(url)


class DdgsSearch:
    """Implements `agent.web.search_engine.SearchEngine` without a key or an account.

    The engines limit programs as they like, so this may fail at any time. They are asked at their own fixed addresses;
    the pages they find are not opened.

    Args:
        engines: Names that the library knows.
        engine_time: s for each.
    """

    def __init__(self, engines: Sequence[str] = ENGINES, engine_time: float = ENGINE_TIME) -> None:
        self._engines = ", ".join(engines)
        self._engine_time = engine_time

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        """Implements `SearchEngine`."""
        return await asyncio.to_thread(self._search, query, count)

    def _search(self, query: str, count: int) -> list[SearchResult]:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException

        started = time.monotonic()
        engine = DDGS(timeout=self._engine_time)  # type: ignore[arg-type] # its HTTP takes fractions, its hints do not
        try:
            rows = engine.text(query, max_results=count, backend=self._engines)
        except DDGSException as error:
            raise _agent_error(error, time.monotonic() - started >= self._engine_time) from error
        found = (search_result(row.get("title"), row.get("href"), row.get("body")) for row in rows)
        return [result for result in found if result][:count]


class SearxngSearch:
    """Implements `agent.web.search_engine.SearchEngine` with the JSON API, which the server's owner has to allow.

    It goes nowhere else: a redirect is an error, because it might lead to another machine of the house.

    Args:
        url: Of the server, as one opens it in a browser.
        search_time: s for an answer.
    """

    def __init__(self, url: str, search_time: float = SEARCH_TIME) -> None:
        self._url = url.rstrip("/")
        self._search_time = search_time

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        """Implements `SearchEngine`."""
        try:
            async with asyncio.timeout(self._search_time):
                status, body = await self._get({"q": query, "format": "json"})
        except TimeoutError:
            reason = f"The search server at {self._url} did not answer in {self._search_time:g} s; try again later."
            raise AgentError(ErrorCode.TIMEOUT, reason) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._failure("cannot be reached; check that it runs and that its address is right") from error
        if status != httpx2.codes.OK:
            raise self._refusal(status)
        return self._results(body, count)

    async def _get(self, question: dict[str, str]) -> tuple[int, bytes]:
        # The seconds above are for the whole answer; a time for each byte would let one drip in for ever.
        async with (
            httpx2.AsyncClient(follow_redirects=False, timeout=self._search_time) as http,
            http.stream("GET", f"{self._url}/search", params=question) as response,
        ):
            body = bytearray()
            async for piece in response.aiter_bytes():
                body += piece
                if len(body) > LARGEST:
                    raise self._failure(f"sent more than {LARGEST} bytes; check that it is a SearXNG server")
            return response.status_code, bytes(body)

    def _results(self, body: bytes, count: int) -> list[SearchResult]:
        try:
            answer: Any = json.loads(body)
            rows = answer["results"]
            found = [search_result(row.get("title"), row.get("url"), row.get("content")) for row in rows]
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
            raise self._failure("sent no list of results; check that it is a SearXNG server") from error
        results = [result for result in found if result][:count]
        if not results and answer.get("unresponsive_engines"):
            raise self._failure("got no answer from the engines behind it; try again in some minutes")
        return results

    def _refusal(self, status: int) -> AgentError:
        if status == httpx2.codes.FORBIDDEN:
            return self._failure("allows no programs; add json to search.formats in its settings.yml")
        if status == httpx2.codes.TOO_MANY_REQUESTS:
            return self._failure("limits how often it may be asked; wait a minute")
        if 300 <= status < 400:
            return self._failure("sends elsewhere, where nobody follows; configure the address it really has")
        return self._failure(f"answers with HTTP status {status}; look at its log")

    def _failure(self, what: str) -> AgentError:
        return AgentError(ErrorCode.SERVER_UNAVAILABLE, f"The search server at {self._url} {what}.")


def _agent_error(error: Exception, slow: bool) -> AgentError:
    from ddgs.exceptions import RatelimitException

    if slow or "timed out" in str(error):
        # An engine that does not answer in time is told by the library as one that found nothing.
        return AgentError(ErrorCode.TIMEOUT, "The search engines did not answer in time; try again in a minute.")
    if isinstance(error, RatelimitException) or "No results found" in str(error):
        # The library gives the same sentence for both.
        reason = (
            "The search engines gave nothing: either nothing fits, or they refuse programs for now; use other words, "
            "wait some minutes, or set up a SearXNG server."
        )
        return AgentError(ErrorCode.SERVER_UNAVAILABLE, reason)
    reason = "The search engines cannot be reached; check that this machine is online."
    return AgentError(ErrorCode.SERVER_UNAVAILABLE, reason)
