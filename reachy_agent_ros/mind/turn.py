"""One turn of conversation: what was asked, how it went, and what it may use meanwhile."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.mind.clauses import ClauseCutter
from reachy_agent_ros.mind.deeds import Deeds
from reachy_agent_ros.mind.events import Clause, Event, Token, ToolEnded, ToolStarted, Waiting
from reachy_agent_ros.mind.permissions.approvals import Approvals
from reachy_agent_ros.mind.reflex.decision import Action
from reachy_agent_ros.mind.sessions import DEFAULT_SESSION
from reachy_agent_ros.mind.surroundings import Surroundings
from reachy_agent_ros.mind.tools import ToolOutcome
from reachy_agent_ros.mind.trace import SpanKind, Trace


class Source(IntEnum):
    """How a sentence came; mirror of `Converse`."""

    TYPED = 0
    SPOKEN = 1
    REMOTE = 2


@dataclass(frozen=True)
class TurnRequest:
    """What a person said.

    Attributes:
        text: Their words.
        session_id: Conversation it belongs to.
        source: How it came.
        speak: Whether the reply is spoken.
        wait: Whether it waits for a running turn to end; if not, it is refused then.
        time_allowance: s; 0 for the configured one.
        turn_id: Its name everywhere.
        said: Wall clock of the last sound of it, s since the epoch; None where it was not spoken.
        deeds: What was begun of it while they still spoke.
    """

    text: str
    session_id: str = DEFAULT_SESSION
    source: Source = Source.TYPED
    speak: bool = False
    wait: bool = True
    time_allowance: float = 0.0
    turn_id: uuid.UUID = field(default_factory=uuid.uuid4)
    said: float | None = None
    deeds: Deeds = field(default_factory=Deeds, compare=False)


@dataclass
class TurnResult:
    """How a turn went.

    Attributes:
        reply: All that was answered.
        agent: Who answered.
        tools_called: In order.
        input_tokens: Read by models.
        output_tokens: Written by models.
        elapsed: s.
        error: What went wrong, None if nothing did.
    """

    reply: str = ""
    agent: str = ""
    tools_called: list[str] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    elapsed: float = 0.0
    error: AgentError | None = None


class Turn:
    """A running turn: collects its result, tells observers, and is the only way to a tool.

    Args:
        request: What was asked.
        trace: Where its spans go.
        observe: Takes its events.
        surroundings: Tools.
        approvals: Where a tool that needs one gets its approval.
    """

    def __init__(
        self,
        request: TurnRequest,
        trace: Trace,
        observe: Callable[[Event], None],
        surroundings: Surroundings,
        approvals: Approvals,
    ) -> None:
        self.request = request
        self.trace = trace
        self.observe = observe
        self.result = TurnResult()
        self._surroundings = surroundings
        self._approvals = approvals
        self._cutter = ClauseCutter()
        self._clauses = 0

    def reply(self, text: str) -> None:
        """Adds to the reply."""
        self.result.reply += text
        self.observe(Token(text))
        self._give_out(self._cutter.feed(text))

    def note(self, text: str) -> None:
        """Adds to the reply what is not to be spoken."""
        self.result.reply += text
        self.observe(Token(text))

    def end_sentence(self) -> None:
        """Gives out what has been replied, although no full stop came."""
        self._give_out(self._cutter.flush())

    async def call_tool(self, name: str, arguments_json: str) -> ToolOutcome:
        """Calls a tool, after an approval where it needs one; every failure is an outcome."""
        return await self._watched(name, arguments_json, self._approved_call(name, arguments_json))

    async def act(self, index: int, action: Action) -> ToolOutcome:
        """Does the turn's action at `index`, or waits for its end where it was begun already."""
        call = partial(self._approved_call, action.tool, action.arguments_json)
        deed = self.request.deeds.outcome(index, action, call)
        return await self._watched(action.tool, action.arguments_json, deed)

    async def _watched(self, name: str, arguments_json: str, call: Awaitable[ToolOutcome]) -> ToolOutcome:
        self.result.tools_called.append(name)
        self.observe(ToolStarted(name, arguments_json))
        span = self.trace.open(SpanKind.TOOL, name, arguments_json)
        outcome = ToolOutcome("{}", AgentError(ErrorCode.CANCELED, f"{name} was cancelled."))
        try:
            outcome = await call
        finally:
            span.error = outcome.error
            span.summary = outcome.result_json
            self.trace.close(span)
            self.observe(ToolEnded(name, outcome))
        return outcome

    async def _approved_call(self, name: str, arguments_json: str) -> ToolOutcome:
        approval_id = None
        try:
            if any(tool.name == name and tool.needs_approval for tool in self._surroundings.catalogue()):
                approval_id = await self._approval(name, arguments_json)
            return await self._surroundings.call_tool(name, arguments_json, self.request.turn_id, approval_id)
        except AgentError as error:
            return ToolOutcome("{}", error)

    async def _approval(self, name: str, arguments_json: str) -> uuid.UUID:
        self.observe(Waiting(f"a person's approval of {name} {arguments_json}"))
        with self.trace.span(SpanKind.APPROVAL, name, arguments_json):
            return await self._approvals.ask(name, arguments_json, self.request.turn_id, self.result.agent)

    def _give_out(self, clauses: list[str]) -> None:
        for clause in clauses:
            self.observe(Clause(self._clauses, clause))
            self._clauses += 1
