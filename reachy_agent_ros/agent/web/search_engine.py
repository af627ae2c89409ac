"""What searches the web."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from reachy_agent_ros.agent.web.search_result import SearchResult


class SearchEngine(Protocol):
    """Searches the web. Only the words of the search leave the machine, and only for where a person chose."""

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        """Pages that fit, the best first; empty where none does.

        Args:
            query: In words.
            count: Pages at most.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: offline, blocked, limited, or no search engine at all; `TIMEOUT`.
        """
        ...
