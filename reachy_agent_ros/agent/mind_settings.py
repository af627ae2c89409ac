"""How the mind works."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reachy_agent_ros.agent.conversation.conversation_parts import Bounds
from reachy_agent_ros.agent.conversation.tool_preference import NoPreference, ToolPreference
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.agent.personas.library import USUAL_VALUES
from reachy_agent_ros.agent.planning.plan_board import PlanSettings
from reachy_agent_ros.agent.web.search_engine import SearchEngine
from reachy_agent_ros.core.embedding import SentenceEmbedder


@dataclass(frozen=True)
class MindSettings:
    """How the mind works.

    Attributes:
        bounds: What a turn may use.
        approval_time: s a person has to decide.
        planning: How it plans.
        search_engine: Searches the web; None where it may not.
        embedder: Gives the sentence embedder; None to understand by rules alone and to remember nothing.
        servers: MCP servers whose tools it has.
        values: What personas may name.
        preference: Advises models on tools.
    """

    bounds: Bounds = field(default_factory=Bounds)
    approval_time: float = 60.0
    planning: PlanSettings = field(default_factory=PlanSettings)
    search_engine: SearchEngine | None = None
    embedder: Callable[[], SentenceEmbedder] | None = None
    servers: Sequence[McpServerSettings] = ()
    values: tuple[tuple[str, str], ...] = tuple(USUAL_VALUES.items())
    preference: ToolPreference = field(default_factory=NoPreference)
