"""The mind, put together."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from reachy_agent_ros.core.configuration import configuration_file
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.mind.briefing import Briefing
from reachy_agent_ros.mind.clock import clock_tools
from reachy_agent_ros.mind.conversation import Bounds, Calls, Conversation, Observe, Parts, Publish
from reachy_agent_ros.mind.dialogue import Dialogue
from reachy_agent_ros.mind.embedding import SentenceEmbedder
from reachy_agent_ros.mind.mcp_tools.mcp_tools import McpTools
from reachy_agent_ros.mind.mcp_tools.server_settings import McpServerSettings
from reachy_agent_ros.mind.memory.episodes import Deed, episode_of
from reachy_agent_ros.mind.model.access import ModelAccess
from reachy_agent_ros.mind.own_tools import OwnTools
from reachy_agent_ros.mind.permissions.grants import Grant
from reachy_agent_ros.mind.permissions.office import PermissionOffice
from reachy_agent_ros.mind.permissions.pending_approval import PendingApproval
from reachy_agent_ros.mind.permissions.question import question
from reachy_agent_ros.mind.personas.active import ActivePersona
from reachy_agent_ros.mind.personas.library import USUAL_VALUES, PersonaLibrary
from reachy_agent_ros.mind.personas.persona_servers import PersonaServers
from reachy_agent_ros.mind.planning.plan_board import PlanBoard, PlanSettings
from reachy_agent_ros.mind.planning.plan_store import FILE_NAME as PLANS_FILE
from reachy_agent_ros.mind.planning.plan_store import PlanStore
from reachy_agent_ros.mind.planning.plan_text import plan_prompt
from reachy_agent_ros.mind.planning.plan_tools import plan_tools
from reachy_agent_ros.mind.planning.review import Review, needs_yes
from reachy_agent_ros.mind.planning.review import question as plan_question
from reachy_agent_ros.mind.planning.task_tree import TaskTree
from reachy_agent_ros.mind.recollection import Recollection
from reachy_agent_ros.mind.reflex.learned import FILE_NAME as PHRASES_FILE
from reachy_agent_ros.mind.reflex.learned import LearnedPhrases
from reachy_agent_ros.mind.reflexes import Reflexes
from reachy_agent_ros.mind.saved_turn import SavedTurn
from reachy_agent_ros.mind.sessions import FILE_NAME as SESSIONS_FILE
from reachy_agent_ros.mind.sessions import SessionStore
from reachy_agent_ros.mind.status import Status, StatusBoard
from reachy_agent_ros.mind.surroundings import Surroundings
from reachy_agent_ros.mind.tool_gate import ToolGate
from reachy_agent_ros.mind.toolbox import Toolbox
from reachy_agent_ros.mind.turn_request import TurnRequest, TurnResult
from reachy_agent_ros.mind.turn_tools import REFLEX
from reachy_agent_ros.mind.web.search_engine import SearchEngine
from reachy_agent_ros.mind.web.tools import web_tools

_log = logging.getLogger(__name__)


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
    """

    bounds: Bounds = field(default_factory=Bounds)
    approval_time: float = 60.0
    planning: PlanSettings = field(default_factory=PlanSettings)
    search_engine: SearchEngine | None = None
    embedder: Callable[[], SentenceEmbedder] | None = None
    servers: Sequence[McpServerSettings] = ()
    values: tuple[tuple[str, str], ...] = tuple(USUAL_VALUES.items())


@dataclass(frozen=True)
class Watchers:
    """Who is told when something of the mind changes, in whichever thread changed it.

    Attributes:
        status: Takes what it is doing.
        approvals: Takes everything that waits for a person, oldest first.
        grants: Takes all that a person granted, oldest first.
        plan: Takes a conversation and its plan, None where it has none any more.
    """

    status: Callable[[Status], None] = lambda _status: None
    approvals: Callable[[list[PendingApproval]], None] = lambda _pending: None
    grants: Callable[[list[Grant]], None] = lambda _grants: None
    plan: Callable[[str, TaskTree | None], None] = lambda _session_id, _tree: None


class Mind:
    """Everything that thinks. Use it from one event loop.

    Args:
        surroundings: The world around it.
        access: The way to the model.
        directory: Where it keeps what must not be lost.
        settings: How it works.
        watchers: Who is told of changes.

    Attributes:
        conversation: Takes turns.
        gate: The way to every tool.
        office: Rules, grants and questions.
        sessions: The conversations on disk.
        status: What it is doing.
        plans: The plans of all conversations.
        review: What of a plan a person wants to approve; may be set.
        personas: All it can be.
        persona: Who it is.
        recollection: What it remembers; None where it has no embedder.

    Raises:
        AgentError: `STORAGE_FAILED`: a file of its own cannot be used; `INVALID_ARGUMENTS`: a person's rules are wrong.
    """

    def __init__(
        self,
        surroundings: Surroundings,
        access: ModelAccess,
        directory: Path,
        settings: MindSettings | None = None,
        watchers: Watchers | None = None,
    ) -> None:
        settings = settings or MindSettings()
        self._watchers = watchers or Watchers()
        self._tasks: set[asyncio.Task[None]] = set()
        embedder = None if settings.embedder is None else cache(settings.embedder)
        self._values = dict(settings.values)
        self.status = StatusBoard(self._watchers.status)
        self.review = Review.ACT
        self.sessions = SessionStore(directory / SESSIONS_FILE)
        self.plans = PlanBoard(PlanStore(directory / PLANS_FILE), settings.planning, self._watchers.plan)
        self.personas = PersonaLibrary(configuration_file("personas"), directory / "personas", self._values)
        self._chosen = ActivePersona(self.personas, directory / "persona")
        self.persona = self._chosen.current()
        self.recollection = embedder and Recollection(directory / "memory.db", directory / "notes", embedder)
        self._reflexes = Reflexes(LearnedPhrases(directory / PHRASES_FILE), embedder)
        self._own = OwnTools([*plan_tools(self.plans), *clock_tools(), *web_tools(settings.search_engine)])
        self._servers = McpTools(settings.servers, _log.warning)
        self._persona_servers = PersonaServers(_log.warning)
        tools = Toolbox(surroundings, self._own, self._servers, self._persona_servers)
        self.office = PermissionOffice(
            directory, settings.approval_time, tools.catalogue, self._is_reviewed, self._wait, self._watchers.grants
        )
        self.gate = ToolGate(tools, self.office.enforcement, self._question, self.allows, self.plans.note_result)
        dialogue = Dialogue(
            access, self.sessions, Briefing(self, self._contexts()), settings.approval_time, settings.bounds.tokens
        )
        parts = Parts(
            surroundings,
            self.gate,
            self.office.approvals,
            dialogue,
            self._reflexes,
            self.status,
            voice=lambda: self.persona.voice,
            began=self._began,
            ended=self._ended,
        )
        self.conversation = Conversation(parts, settings.bounds)

    async def begin(self) -> None:
        """Opens in the background what the first turns can do without, and returns when all of it is there."""
        await self._servers.start()
        await self._persona_servers.run(self.persona.servers)
        if self.recollection is not None:
            self._own.add(await asyncio.to_thread(self.recollection.open))
        await self.know_tools()

    async def know_tools(self) -> None:
        """Makes the reflex understand free phrases about the tools that there are now."""
        try:
            await asyncio.to_thread(self._reflexes.warm_up, self.gate.catalogue())
        except AgentError as error:
            _log.warning("The reflex understands by rules alone: %s", error)

    async def become(self, name: str) -> None:
        """Makes the robot another persona, from the next turn on.

        Raises:
            AgentError: As `ActivePersona.choose`.
        """
        self.persona = await asyncio.to_thread(self._chosen.choose, name)
        await self._persona_servers.run(self.persona.servers)

    def take_up(
        self, observe: Callable[[TurnRequest], Observe], publish: Callable[[TurnRequest], Publish]
    ) -> Sequence[asyncio.Task[tuple[TurnRequest, TurnResult]]]:
        """Takes up the turns that waited for a person when the last process ended.

        A command that the reflex obeyed is not among them: it is said again in a second, and nobody expects it to
        happen minutes later.

        Args:
            observe: Gives what takes a turn's events.
            publish: Gives what takes a turn's spans.

        Returns:
            The turns.
        """
        turns = []
        for pending in self.office.approvals.restore():
            try:
                saved = SavedTurn.from_json(pending.run_state)
            except AgentError as error:
                _log.warning("%s", error)
                self.office.approvals.withdraw(pending)
                continue
            work = self._resumed(pending, saved, observe(saved.request), publish(saved.request))
            turns.append(asyncio.create_task(work))
        return turns

    def instructions(self) -> str:
        """Who the robot is and how it speaks, for a model."""
        return self.persona.instructions(self._values)

    def allows(self, tool: str) -> bool:
        """Whether the persona uses a tool."""
        return self.persona.allows(tool)

    def problems(self) -> dict[str, str]:
        """What is wrong, by concern, for people; empty sentences where all is well."""
        problems = {"memory": self.recollection.problem if self.recollection else "", "persona": self._chosen.warning}
        idle = self.office.idle_rules()
        problems["permissions"] = f"rules about no tool there is: {'; '.join(idle)}" if idle else ""
        return problems

    async def close(self) -> None:
        """Ends everything. A turn that waits for a person is taken up by the next process."""
        self.status.closes()
        self.office.approvals.close()
        await self.conversation.close()
        await self._servers.close()
        await self._persona_servers.close()
        if self._tasks:
            await asyncio.wait(self._tasks)
        self.office.close()
        self.sessions.close()
        if self.recollection is not None:
            self.recollection.close()

    async def _resumed(
        self, pending: PendingApproval, saved: SavedTurn, observe: Observe, publish: Publish
    ) -> tuple[TurnRequest, TurnResult]:
        return saved.request, await self.conversation.resume(pending, saved, observe, publish)

    def _contexts(self) -> list[Callable[[str], str]]:
        remembered = [] if self.recollection is None else [self.recollection.prompt]
        return [*remembered, lambda session_id: plan_prompt(self.plans.tree(session_id))]

    def _is_reviewed(self, tool: str) -> bool:
        return needs_yes(tool, self.review)

    def _question(self, tool: str, arguments_json: str, session_id: str) -> str:
        if self._is_reviewed(tool):
            return plan_question(tool, arguments_json, self.plans.tree(session_id))
        return question(tool, arguments_json)

    def _wait(self, pending: list[PendingApproval]) -> None:
        first = pending[0] if pending else None
        self.status.asks(f"asks a person about {first.tool}" if first else "")
        self._watchers.approvals(pending)

    def _began(self, request: TurnRequest) -> None:
        self.persona = self._chosen.current()  # it may have been edited
        self.plans.person_spoke(request.session_id)

    def _ended(self, request: TurnRequest, result: TurnResult, calls: Calls) -> None:
        if self.recollection is None:
            return
        deeds = [Deed(tool, error) for tool, error in calls]
        episode = episode_of(request.text, deeds, result.reply, request.session_id, by_reflex=result.agent == REFLEX)
        if episode is not None:
            task = asyncio.create_task(asyncio.to_thread(self.recollection.keep, episode))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
