"""Settings of the agent, and callbacks for changes of its state."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from reachy_agent_ros.agent.conversation.conversation_parts import Bounds
from reachy_agent_ros.agent.conversation.prompt_context import ToolPreference
from reachy_agent_ros.agent.conversation.specialists import USUAL_TEAM, Team
from reachy_agent_ros.agent.conversation.status import Status
from reachy_agent_ros.agent.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.agent.permissions.grants import Grant
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.personas.library import USUAL_VALUES
from reachy_agent_ros.agent.planning.task_tree import TaskTree
from reachy_agent_ros.agent.web.search_engine import SearchEngine
from reachy_agent_ros.core.embedding import SentenceEmbedder


@dataclass(frozen=True)
class AgentSettings:
    """Settings of the agent.

    Attributes:
        bounds: Limits of a turn.
        approval_time: Time limit for a person's decision about a call, s.
        plan_failures: Number of failures of one plan step, or of consecutive failures, after which a person is asked.
        search_engine: Web search engine; None for no web search.
        embedder: Returns the sentence embedder; None to recognize intents by rules only and to disable the memory.
        servers: MCP servers whose tools the agent uses.
        values: Values for placeholders in the instructions of personas.
        preference: Learned preferences between tools, given to models as advice.
        team: The coordinator and the specialists.
    """

    bounds: Bounds = field(default_factory=Bounds)
    approval_time: float = 60.0
    plan_failures: int = 2
    search_engine: SearchEngine | None = None
    embedder: Callable[[], SentenceEmbedder] | None = None
    servers: Sequence[McpServerSettings] = ()
    values: tuple[tuple[str, str], ...] = tuple(USUAL_VALUES.items())
    preference: ToolPreference | None = None
    team: Team = field(default_factory=lambda: USUAL_TEAM)


@dataclass(frozen=True)
class Watchers:
    """Callbacks for changes of the agent's state, called in the thread that made the change.

    Attributes:
        status: Called with the status.
        approvals: Called with all pending approvals, oldest first.
        grants: Called with all grants, oldest first.
        plan: Called with a conversation and its plan; None for a deleted plan.
        stopped: Called when a person stops the robot.
        schedule: Called when a timer, alarm or reminder was added, changed or removed, or begins or stops ringing.
        announced: Called with the text of an announcement, before it is spoken.
        jobs: Called when a background job was added, has made progress or has changed its state.
    """

    status: Callable[[Status], None] = lambda _status: None
    approvals: Callable[[list[PendingApproval]], None] = lambda _pending: None
    grants: Callable[[list[Grant]], None] = lambda _grants: None
    plan: Callable[[str, TaskTree | None], None] = lambda _session_id, _tree: None
    stopped: Callable[[], None] = lambda: None
    schedule: Callable[[], None] = lambda: None
    announced: Callable[[str], None] = lambda _text: None
    jobs: Callable[[], None] = lambda: None
