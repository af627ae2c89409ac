"""Web search engines: public engines through the library ddgs, and SearXNG servers.

`search_engine` creates the configured engine. SearXNG servers are run by the robot's owner or somebody they trust.
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
"""Engines that receive search queries. The library's default would send queries to eight companies."""

ENGINE_TIME = 4.0
"""Time limit for each engine, s."""

SEARCH_TIME = 10.0
"""Time limit for a SearXNG server, which has to wait for its own engines, s."""

LARGEST = 2_000_000
"""Maximum size of a response, bytes. A normal response has 20 to 200 kB."""


def search_engine(name: str, url: str = "") -> SearchEngine | None:
    """Returns the search engine with the given name; None if web search is disabled.

    Args:
        name: One of `ENGINE_NAMES`.
        url: URL of the SearXNG server.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the engine is unknown, or the URL is invalid.
    """
    if name not in ENGINE_NAMES:
        message = f"Invalid search engine {name!r}: expected one of {', '.join(ENGINE_NAMES)}."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
    if name == OFF:
        return None
    if name == DDGS:
        return DdgsSearch()
    if not is_web_address(url) or "?" in url or "#" in url:
        reason = f"Invalid SearXNG server URL {url!r}: expected a URL such as http://localhost:8888."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
    return SearxngSearch(url)


class DdgsSearch:
    """Web search with public engines, which need no key or account. Implements `SearchEngine`.

    The engines may block programs at any time, so a search may fail. Their URLs are fixed, and the pages that they
    find are not opened.

    Args:
        engines: Names of engines of the library.
        engine_time: Time limit of each engine, s.
    """

    def __init__(self, engines: Sequence[str] = ENGINES, engine_time: float = ENGINE_TIME) -> None:
        self._engines = ", ".join(engines)
        self._engine_time = engine_time

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        """Searches with the public engines. Implements `SearchEngine`."""
        return await asyncio.to_thread(self._search, query, count)

    def _search(self, query: str, count: int) -> list[SearchResult]:
        from ddgs import DDGS
        from ddgs.exceptions import DDGSException

        started = time.monotonic()
        engine = DDGS(timeout=self._engine_time)  # type: ignore[arg-type] # its type hints exclude fractions
        try:
            rows = engine.text(query, max_results=count, backend=self._engines)
        except DDGSException as error:
            raise _agent_error(error, time.monotonic() - started >= self._engine_time) from error
        found = (search_result(row.get("title"), row.get("href"), row.get("body")) for row in rows)
        return [result for result in found if result][:count]


class SearxngSearch:
    """Web search with the JSON API of a SearXNG server. The server must enable this API.

    Implements `SearchEngine`.

    A redirect is an error, because it might lead to another machine in the local network.

    Args:
        url: URL of the server, as used in a browser.
        search_time: Time limit of a response, s.
    """

    def __init__(self, url: str, search_time: float = SEARCH_TIME) -> None:
        self._url = url.rstrip("/")
        self._search_time = search_time

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        """Searches with the SearXNG server. Implements `SearchEngine`."""
        try:
            async with asyncio.timeout(self._search_time):
                status, body = await self._get({"q": query, "format": "json"})
        except TimeoutError:
            reason = f"The search server at {self._url} did not answer in {self._search_time:g} s; try again later."
            raise AgentError(ErrorCode.TIMEOUT, reason) from None
        except (httpx2.HTTPError, httpx2.InvalidURL) as error:
            raise self._failure("cannot be reached; check that it is running and its address is correct") from error
        if status != httpx2.codes.OK:
            raise self._refusal(status)
        return self._results(body, count)

    async def _get(self, question: dict[str, str]) -> tuple[int, bytes]:
        # The time limit above is for the complete response: with a limit for each read, a slow one could take forever.
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
            raise self._failure("did not send a list of results; check that it is a SearXNG server") from error
        results = [result for result in found if result][:count]
        if not results and answer.get("unresponsive_engines"):
            raise self._failure("got no answer from the engines behind it; try again in a few minutes")
        return results

    def _refusal(self, status: int) -> AgentError:
        if status == httpx2.codes.FORBIDDEN:
            return self._failure("does not allow its JSON API; add json to search.formats in its settings.yml")
        if status == httpx2.codes.TOO_MANY_REQUESTS:
            return self._failure("limits the number of requests; wait a minute")
        if 300 <= status < 400:
            return self._failure("redirects, which is not followed; configure its final address")
        return self._failure(f"answers with HTTP status {status}; check its log")

    def _failure(self, what: str) -> AgentError:
        return AgentError(ErrorCode.SERVER_UNAVAILABLE, f"The search server at {self._url} {what}.")


def _agent_error(error: Exception, slow: bool) -> AgentError:
    from ddgs.exceptions import RatelimitException

    if slow or "timed out" in str(error):
        # The library reports an engine that does not respond in time as an engine that found nothing.
        return AgentError(ErrorCode.TIMEOUT, "The search engines did not answer in time; try again in a minute.")
    if isinstance(error, RatelimitException) or "No results found" in str(error):
        # The library uses the same message for both cases.
        reason = (
            "The search engines returned nothing: either nothing matches, or they are blocking programs at the moment; "
            "use other words, wait a few minutes, or set up a SearXNG server."
        )
        return AgentError(ErrorCode.SERVER_UNAVAILABLE, reason)
    reason = "The search engines cannot be reached; check that this machine is online."
    return AgentError(ErrorCode.SERVER_UNAVAILABLE, reason)
