"""Web search: what a search engine does, the results that it gives, and the tool with which a model searches."""

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
"""Characters; a page's author chooses them all, and a model reads them all."""

TIME_LIMIT = 20.0
"""Seconds for a search; the engines have shorter limits of their own."""


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


@dataclass(frozen=True)
class SearchResult:
    """One page that a search found.

    Attributes:
        title: The page's.
        url: Its address, http or https.
        text: What the search engine shows of it.
    """

    title: str
    url: str
    text: str


def search_result(title: object, url: object, text: object) -> SearchResult | None:
    """What an engine gave, cleaned and bounded; None where it has no address that a browser opens."""
    address = _clean(url, LONGEST_URL + 1)
    if len(address) > LONGEST_URL or not is_web_address(address):
        return None
    return SearchResult(_clean(title, LONGEST_TITLE), address, _clean(text, LONGEST_TEXT))


class _Search(ToolArguments):
    query: str = Field(
        description="What to search for, in a few words. It leaves this machine: nothing private in it.",
        min_length=1,
        max_length=300,
    )
    count: WholeNumber = Field(default=5, description="Results at most.", ge=1, le=10)


def web_tools(engine: SearchEngine | None) -> list[OwnTool[Any]]:
    """Tools that search with an engine; none without one, so that no model promises what cannot be done."""
    if engine is None:
        return []

    async def web_search(arguments: _Search, call: ToolCall) -> dict[str, Any]:
        query = " ".join(arguments.query.split())
        if not query:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A search has some words.")
        found = await engine.search(query, arguments.count)
        return {"results": [asdict(result) for result in found]}

    return [
        OwnTool(
            "web_search",
            "Searches the web for what may have changed or is not known: news, weather, prices, opening hours. Gives "
            "titles, addresses and excerpts; name the source in the answer.",
            _Search,
            web_search,
            specialist="web",
            time_limit=TIME_LIMIT,
            untrusted_output=True,
        )
    ]


def _clean(value: object, longest: int) -> str:
    """On one line, without control, invisible and half characters."""
    text = value if isinstance(value, str) else ""
    line = " ".join(text[: 10 * longest].split())
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")[:longest]


def is_web_address(text: str) -> bool:
    """Whether a text is an http or https URL with a host."""
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname)
