"""Searching by what public search engines show to browsers, with the library ddgs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence

from reachy_agent_ros.agent.web.search_result import SearchResult, search_result
from reachy_agent_ros.core.errors import AgentError, ErrorCode

ENGINES = ("duckduckgo", "mojeek", "wikipedia")
"""Who reads the words of a search. The library would ask eight companies, in an order of its own."""

ENGINE_TIME = 4.0
"""Seconds for each of them."""


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
