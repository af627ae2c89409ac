"""Complete agent without ROS: conversation, tools, permissions, memory, plans and personas."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from functools import cache, partial
from pathlib import Path

from reachy_agent_ros.agent import request_phrases
from reachy_agent_ros.agent.agent_settings import AgentSettings, Watchers
from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.conversation.conversation import Conversation
from reachy_agent_ros.agent.conversation.conversation_parts import Observe, Parts, Publish
from reachy_agent_ros.agent.conversation.dialogue import Dialogue
from reachy_agent_ros.agent.conversation.prompt_context import PromptContext
from reachy_agent_ros.agent.conversation.repetition import Repetition
from reachy_agent_ros.agent.conversation.status import StatusBoard
from reachy_agent_ros.agent.conversation.team_file import unknown_tools
from reachy_agent_ros.agent.conversation.turn_request import TurnRequest
from reachy_agent_ros.agent.conversation.waiting_turns import TakenUp, take_up
from reachy_agent_ros.agent.jobs.job_queue import JobQueue
from reachy_agent_ros.agent.jobs.job_runner import JobRunner
from reachy_agent_ros.agent.jobs.job_store import FILE_NAME as JOBS_FILE
from reachy_agent_ros.agent.jobs.job_store import JobStore
from reachy_agent_ros.agent.jobs.scene_watch import SceneWatch, permit_looks
from reachy_agent_ros.agent.jobs.tools import job_tools
from reachy_agent_ros.agent.learned_tools import learned_tools
from reachy_agent_ros.agent.lists.list_store import FILE_NAME as LISTS_FILE
from reachy_agent_ros.agent.lists.list_store import ListStore
from reachy_agent_ros.agent.lists.list_tools import ListReversal, list_tools
from reachy_agent_ros.agent.mcp_tools.mcp_tools import McpTools, PersonaServers
from reachy_agent_ros.agent.memory.episodes import EpisodeKeeper
from reachy_agent_ros.agent.memory.recollection import Recollection
from reachy_agent_ros.agent.model.access import ModelAccess
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval, question
from reachy_agent_ros.agent.permissions.permission_service import PermissionService
from reachy_agent_ros.agent.permissions.stop_audit import StopAudit
from reachy_agent_ros.agent.permissions.tool_executor import ToolExecutor
from reachy_agent_ros.agent.personas.library import DEFAULT_PERSONA, ActivePersona, PersonaLibrary
from reachy_agent_ros.agent.planning.plan_board import PlanBoard
from reachy_agent_ros.agent.planning.plan_store import FILE_NAME as PLANS_FILE
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.planning.plan_text import plan_prompt
from reachy_agent_ros.agent.planning.plan_tools import plan_tools
from reachy_agent_ros.agent.planning.review import PlanReview, needs_yes
from reachy_agent_ros.agent.planning.review import question as plan_question
from reachy_agent_ros.agent.provenance.label import LabeledText, read
from reachy_agent_ros.agent.robot_interface import RobotInterface
from reachy_agent_ros.agent.schedule.announcer import Announcer
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.schedule_reversal import ScheduleReversal
from reachy_agent_ros.agent.schedule.schedule_store import FILE_NAME as SCHEDULE_FILE
from reachy_agent_ros.agent.schedule.schedule_store import ScheduleStore
from reachy_agent_ros.agent.schedule.tools import schedule_tools
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME as SESSIONS_FILE
from reachy_agent_ros.agent.sessions.session_store import SessionStore
from reachy_agent_ros.agent.toolbox.clock import clock_tools
from reachy_agent_ros.agent.toolbox.tool_names import OWN_TOOLS
from reachy_agent_ros.agent.toolbox.toolbox import OwnTools, Toolbox
from reachy_agent_ros.agent.undo.memory_reversals import FactReversal, NoteReversal
from reachy_agent_ros.agent.undo.undo import PersonaReversal, Undo
from reachy_agent_ros.agent.web.search_engine import web_tools
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.core.priority import in_background
from reachy_agent_ros.nlu.intent_recognizer import IntentRecognizer
from reachy_agent_ros.nlu.learned import FILE_NAME as PHRASES_FILE
from reachy_agent_ros.nlu.learned import LearnedPhrases
from reachy_agent_ros.nlu.own_sentences import OwnSentences

_log = logging.getLogger(__name__)


async def _at_once() -> None:
    """Does nothing. Default value of `prepared`."""


class RobotAgent:
    """Agent with all its parts, independent of ROS. Not thread-safe: use from one event loop.

    Args:
        surroundings: Interface of the robot for tools, speech and holding its pose.
        access: Access to the language model.
        directory: State directory.
        settings: Settings of the agent.
        watchers: Callbacks for changes of the agent's state.

    Attributes:
        conversation: Runs the turns.
        executor: Checks permissions and executes tool calls.
        office: Policy, grants, approvals and the audit log.
        sessions: Stores the conversations.
        status: Status of the agent.
        plans: Plans of all conversations.
        review: Parts of a plan that a person wants to approve. Writable.
        personas: Library of all personas.
        persona: Active persona.
        undo: Journal of acts, and the tool that undoes them.
        recollection: Long-term memory; None without an embedder.
        schedule: Timers, alarms and reminders.
        announcer: Announces what is due. Its method `run` runs until the agent is closed.
        jobs: Runs background jobs. Its method `run` runs until the agent is closed.

    Raises:
        AgentError: `STORAGE_FAILED`: a file of the agent cannot be used; `INVALID_ARGUMENTS`: the policy is invalid.
    """

    def __init__(
        self,
        surroundings: RobotInterface,
        access: ModelAccess,
        directory: Path,
        settings: AgentSettings | None = None,
        watchers: Watchers | None = None,
    ) -> None:
        settings = settings or AgentSettings()
        self._watchers = watchers or Watchers()
        embedder = None if settings.embedder is None else cache(settings.embedder)
        self._values = dict(settings.values)
        self.status = StatusBoard(self._watchers.status)
        self.review = PlanReview.ACT
        self.sessions = SessionStore(directory / SESSIONS_FILE)
        self.plans = PlanBoard(PlanStore(directory / PLANS_FILE), settings.plan_failures, self._watchers.plan)
        self.personas = PersonaLibrary(configuration_file("personas"), directory / "personas", self._values)
        self._chosen = ActivePersona(self.personas, directory / "persona")
        self.persona = self._chosen.current()
        self.recollection = embedder and Recollection(directory / "memory.db", directory / "notes", embedder)
        self._episodes = EpisodeKeeper(self.recollection)
        self._learning_tools = asyncio.Lock()
        learned = LearnedPhrases(directory / PHRASES_FILE)
        self._reflexes = IntentRecognizer(learned, embedder, OwnSentences(directory))
        self._lists, repetition = ListStore(directory / LISTS_FILE), Repetition()
        self.schedule = Schedule(
            ScheduleStore(directory / SCHEDULE_FILE), changed=lambda _entries: self._watchers.schedule()
        )
        announcements = Announcements(self._say, self._watchers.announced)
        self.announcer = Announcer(self.schedule, announcements, self._watchers.schedule)
        self.jobs = self._job_runner(surroundings, directory)
        self._own = OwnTools(
            [
                *plan_tools(self.plans),
                *clock_tools(),
                *schedule_tools(self.schedule, self.announcer),
                *job_tools(self.jobs),
                *list_tools(self._lists),
                *learned_tools(learned),
                repetition.tool,
                *web_tools(settings.search_engine),
            ]
        )
        self._configured_servers = settings.servers
        self._servers = McpTools(settings.servers, _log.warning)
        self._persona_servers = PersonaServers(_log.warning)
        tools = Toolbox(surroundings, self._own, self._servers, self._persona_servers)
        self.office = PermissionService(
            directory, settings.approval_time, tools.catalogue, self._is_reviewed, self._wait, self._watchers.grants
        )
        self.undo = Undo(directory, tools, self.office.enforcement.permit)
        self.undo.add(PersonaReversal(self._become), ListReversal(self._lists), ScheduleReversal(self.schedule))
        self._own.add([self.undo.tool])
        self.executor = ToolExecutor(
            self.undo.tools, self.office.enforcement, self._question, self.allows, self._note_result
        )
        self._stops = StopAudit(directory)
        self._team = settings.team
        self.conversation = self._conversation(surroundings, access, settings, repetition)

    async def begin(self) -> None:
        """Starts the MCP servers, the memory and the recognition of free phrases. Waits until they are ready.

        Turns may begin earlier. Until then, English commands run at once. Without a model, other sentences wait.
        """
        self._reflexes.warm.clear()
        try:
            await self._servers.start()
            await self._persona_servers.run(self.persona.servers)
            if self.recollection is not None:
                self._own.add(await asyncio.to_thread(self.recollection.open))
                self.undo.add(FactReversal(self.recollection.memory), NoteReversal(self.recollection.notes))
            await self.know_tools()
        finally:
            self._reflexes.warm.set()

    async def know_tools(self) -> None:
        """Prepares the intent recognizer for free phrases about the current tools, and checks names in the rules."""
        async with self._learning_tools:  # otherwise an older catalogue could overwrite a newer one
            self.office.known_tools = await asyncio.to_thread(self._tool_names)
            try:
                await in_background(partial(self._reflexes.warm_up, self.executor.catalogue()))
            except AgentError as error:
                _log.warning("The reflex recognizes intents by rules only: %s", error)

    async def become(self, name: str) -> None:
        """Activates another persona at once. Running turns are then also limited to the new persona's tools.

        Raises:
            AgentError: See `ActivePersona.choose`; `STORAGE_FAILED` also if the journal for undo cannot be written.
        """
        async with self.undo.everywhere("persona", PersonaReversal.kind, self.persona.name):
            await self._become(name)

    async def _become(self, name: str) -> None:
        self.persona = await asyncio.to_thread(self._chosen.choose, name)
        await self._persona_servers.run(self.persona.servers)

    async def delete_conversation(self, session_id: str) -> bool:
        """Deletes a conversation and its plan. Conversations that branched from it remain.

        Returns:
            Whether the file no longer contains any byte of the conversation; see `SessionStore.delete`.

        Raises:
            AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
        """
        erased = await self.sessions.delete(session_id)
        await asyncio.to_thread(self.plans.forget, session_id)
        await asyncio.to_thread(self.undo.journal.forget_conversation, session_id)
        return erased

    def take_up(
        self,
        observe: Callable[[TurnRequest], Observe],
        publish: Callable[[TurnRequest], Publish],
        prepared: Callable[[], Awaitable[object]] = _at_once,
    ) -> Sequence[TakenUp]:
        """Resumes turns that were waiting for approval when the previous process ended; see `waiting_turns.take_up`."""
        return take_up(self.office.approvals, self.conversation, prepared, observe, publish)

    def instructions(self) -> str:
        """Returns the instructions of the active persona for a model."""
        return self.persona.instructions(self._values)

    def allows(self, tool: str) -> bool:
        """Returns whether the active persona may use a tool."""
        return self.persona.allows(tool)

    def problems(self) -> dict[str, str]:
        """Returns the problem of each subsystem as a readable sentence; empty if the subsystem works."""
        problems = {"memory": self.recollection.problem if self.recollection else "", "persona": self._chosen.warning}
        problems["conversations"] = self.sessions.damage
        problems["plans"] = self.plans.damage
        problems["lists"] = self._lists.damage
        problems["undo"] = self.undo.journal.damage
        problems["schedule"] = self.schedule.damage or self.schedule.clock_problem
        problems["jobs"] = self.jobs.queue.damage
        problems["approvals"] = self.office.damage
        idle = self.office.idle_rules()
        unused = f"rules that match no available tool: {'; '.join(idle)}" if idle else ""
        problems["permissions"] = self.office.unknown_tools() or unused
        names = [tool.name for tool in self.executor.catalogue()]
        problems["sentences"] = self._reflexes.sentence_problem
        problems["agents"] = unknown_tools(self._team, names) if names else ""
        problems["mcp"] = " ".join([*self._servers.problems(), *self._persona_servers.problems()])
        return problems

    async def close(self) -> None:
        """Closes all parts of the agent. Turns that wait for approval are resumed by the next process."""
        self.status.closes()
        self.office.approvals.close()
        await self.announcer.close()
        await self.jobs.close()
        await self.conversation.close()
        await self._servers.close()
        await self._persona_servers.close()
        await self._episodes.close()
        self._stops.close()
        self.office.close()
        self.plans.close()
        self.undo.journal.close()
        self._lists.close()
        self.schedule.close()
        self.jobs.queue.close()
        self.sessions.close()
        self._reflexes.close()
        if self.recollection is not None:
            self.recollection.close()

    def _plan(self, session_id: str, _message: str) -> LabeledText:
        tree = self.plans.tree(session_id)
        return LabeledText(plan_prompt(tree), read(tree.origin) if tree is not None else ())

    def _conversation(
        self, surroundings: RobotInterface, access: ModelAccess, settings: AgentSettings, repetition: Repetition
    ) -> Conversation:
        dialogue = Dialogue(
            access,
            self.sessions,
            PromptContext(
                self.instructions,
                self.allows,
                [*([self.recollection.prompt] if self.recollection else []), self._plan],
                settings.team,
            ),
            settings.approval_time,
            settings.bounds.tokens,
            settings.preference,
        )
        parts = Parts(
            surroundings,
            self.executor,
            self.office.approvals,
            dialogue,
            self._reflexes,
            self.status,
            voice=lambda: self.persona.voice,
            began=self._began,
            ended=self._episodes.keep,
            stopped=self._stopped,
            record_stop=self._stops.note,
            has_own_style=lambda: self.persona.name != DEFAULT_PERSONA,
            robot_name=self._values["robot_name"],
            repetition=repetition,
        )
        return Conversation(parts, settings.bounds)

    def _job_runner(self, surroundings: RobotInterface, directory: Path) -> JobRunner:
        watch = SceneWatch(surroundings, lambda job: permit_looks(job, self.office.enforcement))
        kinds = {watch.name: watch}
        queue = JobQueue(JobStore(directory / JOBS_FILE), kinds, self._watchers.jobs)
        return JobRunner(queue, kinds, Announcements(self._say_when_idle, self._watchers.announced))

    def _tool_names(self) -> list[str]:
        """Returns the names of all tools, including those that are added later: of the agent and of MCP servers."""
        available = [tool.name for tool in self.executor.catalogue()]
        servers = list(self._configured_servers)
        with suppress(AgentError):  # the persona's own problem is shown by diagnostics
            personas = [one.persona for one in self.personas.listed() if one.persona is not None]
            servers += [server for persona in personas for server in persona.servers]
        return [*available, *OWN_TOOLS, *(f"{server.name}_*" for server in servers)]

    async def _say(self, text: str) -> None:
        await self.conversation.announce(text)

    async def _say_when_idle(self, text: str) -> None:
        await self.conversation.announce_when_idle(text)

    def _stopped(self) -> None:
        self.announcer.stop_ringing()
        self._watchers.stopped()

    def _is_reviewed(self, tool: str) -> bool:
        return needs_yes(tool, self.review)

    def question_about(self, pending: PendingApproval) -> str:
        """Returns the question of a pending approval for display, without the words that ask for yes or no."""
        if self._is_reviewed(pending.tool):
            with suppress(AgentError):  # the plan has changed since the question
                return plan_question(pending.tool, pending.arguments_json, self.plans.tree(pending.session_id))
        return request_phrases.question(pending.tool, pending.arguments_json)

    def _question(self, tool: str, arguments_json: str, session_id: str, why: str) -> str:
        if self._is_reviewed(tool):
            return plan_question(tool, arguments_json, self.plans.tree(session_id))
        return question(tool, arguments_json, why)

    def _wait(self, pending: list[PendingApproval]) -> None:
        first = pending[0] if pending else None
        self.status.asks(f"asks: {self.question_about(first)}" if first else "")
        self._watchers.approvals(pending)

    async def _began(self, request: TurnRequest) -> None:
        self.persona = await asyncio.to_thread(self._chosen.current)  # it may have been edited
        await self._persona_servers.run(self.persona.servers)
        await self._tell_plans(self.plans.person_spoke, request.session_id)

    async def _note_result(self, session_id: str, tool: str, worked: bool) -> None:
        if self.plans.tree(session_id) is not None:
            await self._tell_plans(self.plans.note_result, session_id, tool, worked)

    async def _tell_plans(self, tell: Callable[..., None], *facts: object) -> None:
        """Updates the plans in a thread, because their file may be locked. Logs failures instead of raising them."""
        try:
            await asyncio.to_thread(tell, *facts)
        except AgentError as error:
            _log.warning("The plan could not be updated: %s", error.message)
