"""Web search: the interface of search engines, their results, and the tool for models."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from pydantic import Field

from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.core.arguments import ToolArguments, WholeNumber
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall

LONGEST_TITLE = 200
LONGEST_URL = 500
LONGEST_TEXT = 500
"""Maximum length of an excerpt, characters. The author of a page chooses the excerpt, and a model reads it."""

TIME_LIMIT = 20.0
"""Time limit of a search, s. The engines have shorter limits."""


class SearchEngine(Protocol):
    """Interface of web search engines. An engine sends only the query, and only to services that a user configured."""

    async def search(self, query: str, count: int) -> Sequence[SearchResult]:
        """Returns matching pages, best first; empty if no page matches.

        Args:
            query: Words of the query.
            count: Maximum number of pages.

        Raises:
            AgentError: `SERVER_UNAVAILABLE`: offline, blocked, rate-limited, not a search engine, or no results from
                an engine that gives no reason; `TIMEOUT`.
        """
        ...


@dataclass(frozen=True)
class SearchResult:
    """Web page that a search has found.

    Attributes:
        title: Title of the page.
        url: URL of the page, http or https.
        text: Excerpt that the search engine shows.
    """

    title: str
    url: str
    text: str


def search_result(title: object, url: object, text: object) -> SearchResult | None:
    """Returns a cleaned search result of limited length.

    Returns None if the URL is too long or uses a scheme other than http and https.
    """
    address = _clean(url, LONGEST_URL + 1)
    if len(address) > LONGEST_URL or not is_web_address(address):
        return None
    return SearchResult(_clean(title, LONGEST_TITLE), address, _clean(text, LONGEST_TEXT))


class _Search(ToolArguments):
    query: str = Field(
        description="Search terms, in a few words. They leave this machine, so include nothing private.",
        min_length=1,
        max_length=300,
    )
    count: WholeNumber = Field(default=5, description="Maximum number of results.", ge=1, le=10)


def web_tools(engine: SearchEngine | None) -> list[OwnTool[Any]]:
    """Returns the web search tool for an engine.

    Without an engine, returns no tool, so that models do not promise a search.
    """
    if engine is None:
        return []

    async def web_search(arguments: _Search, call: ToolCall) -> dict[str, Any]:
        query = " ".join(arguments.query.split())
        if not query:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid query: expected some words.")
        found = await engine.search(query, arguments.count)
        return {"results": [asdict(result) for result in found]}

    return [
        OwnTool(
            "web_search",
            "Searches the web for information that changes or that you do not know: news, weather, prices, opening "
            "hours. Results have titles, addresses and excerpts; name the source in your answer.",
            _Search,
            web_search,
            specialist="web",
            time_limit=TIME_LIMIT,
            untrusted_output=True,
        )
    ]


def _clean(value: object, longest: int) -> str:
    """Joins the lines of a text and removes control characters, invisible characters and lone surrogates."""
    text = value if isinstance(value, str) else ""
    line = " ".join(text[: 10 * longest].split())
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")[:longest]


def is_web_address(text: str) -> bool:
    """Returns whether a text is an http or https URL with a host."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
