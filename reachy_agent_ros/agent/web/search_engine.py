"""Web search interface: what a search engine does, and the results that it gives."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol
from urllib.parse import urlsplit

LONGEST_TITLE = 200
LONGEST_URL = 500
LONGEST_TEXT = 500
"""Characters; a page's author chooses them all, and a model reads them all."""


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
    if len(address) > LONGEST_URL or not _is_web(address):
        return None
    return SearchResult(_clean(title, LONGEST_TITLE), address, _clean(text, LONGEST_TEXT))


def _clean(value: object, longest: int) -> str:
    """On one line, without control, invisible and half characters."""
    text = value if isinstance(value, str) else ""
    line = " ".join(text[: 10 * longest].split())
    return "".join(letter for letter in line if unicodedata.category(letter)[0] != "C")[:longest]


def _is_web(address: str) -> bool:
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)
