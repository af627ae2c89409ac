"""The search engine that the configuration names."""

from __future__ import annotations

from urllib.parse import urlsplit

from reachy_agent_ros.agent.web.ddgs_search import DdgsSearch
from reachy_agent_ros.agent.web.search_engine import SearchEngine
from reachy_agent_ros.agent.web.searxng_search import SearxngSearch
from reachy_agent_ros.core.errors import AgentError, ErrorCode

OFF = "off"
DDGS = "ddgs"
SEARXNG = "searxng"
ENGINE_NAMES = (OFF, DDGS, SEARXNG)


def search_engine(name: str, url: str = "") -> SearchEngine | None:
    """The engine of a name; None where searching is off.

    Args:
        name: One of `ENGINE_NAMES`.
        url: Of the SearXNG server.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: there is no such engine, or the server has no address.
    """
    if name not in ENGINE_NAMES:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r} is no search engine: {', '.join(ENGINE_NAMES)}.")
    if name == OFF:
        return None
    if name == DDGS:
        return DdgsSearch()
    if not _is_address(url):
        reason = f"{url!r} is no address of a SearXNG server: http://localhost:8888 would be one."
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)
    return SearxngSearch(url)


def _is_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.hostname) and not (parts.query or parts.fragment)
