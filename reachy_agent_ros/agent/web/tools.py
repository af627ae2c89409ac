"""The tools of the web specialist."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from pydantic import Field

from reachy_agent_ros.agent.toolbox.toolbox import OwnTool
from reachy_agent_ros.agent.web.search_engine import SearchEngine
from reachy_agent_ros.core.arguments import ToolArguments, WholeNumber
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolCall

TIME_LIMIT = 20.0
"""Seconds for a search; the engines have shorter limits of their own."""


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
