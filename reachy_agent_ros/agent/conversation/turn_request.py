"""A turn as data: what a person said, what has been begun of it, how the turn went, and the form that outlives it."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Coroutine
from dataclasses import asdict, dataclass, field
from enum import IntEnum
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, NonNegativeInt, ValidationError

from reachy_agent_ros.agent.conversation.tool_writing import ToolOrder
from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Principal
from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.nlu.decision import Action, Decision
from reachy_agent_ros.tools.protocol.tools import ToolOutcome

_VERSION = 3
"""Of the form in which a turn that waits is stored."""


class TurnSource(IntEnum):
    """How a sentence came; mirror of `Converse`."""

    TYPED = 0
    SPOKEN = 1
    REMOTE = 2


_Start = Callable[[], Coroutine[Any, Any, ToolOutcome]]
"""Starts an action."""


class PendingActions:
    """What has been begun of a sentence: actions in order, each begun once. Use it from one event loop.

    None of it is done twice when the sentence turns out to go on.
    """

    def __init__(self) -> None:
        self._begun: list[tuple[Action, asyncio.Task[ToolOutcome]]] = []

    @property
    def begun(self) -> bool:
        """Whether anything was begun."""
        return bool(self._begun)

    async def outcome(self, index: int, action: Action, start: _Start) -> ToolOutcome:
        """How the action at `index` ended.

        The action is begun unless the same one was begun in its place. A different one there is cancelled, with all
        after it. Cancelling the caller does not cancel the action, because another caller may wait for it too.
        """
        known = self._begun[index : index + 1]
        if not known or known[0][0] != action or known[0][1].cancelled():
            self._cancel(index)
            del self._begun[index:]
            self._begun.append((action, asyncio.create_task(start())))
        return await asyncio.shield(self._begun[index][1])

    async def end(self) -> None:
        """Cancels what runs and waits until it has stopped."""
        self._cancel(0)
        if self._begun:
            await asyncio.wait([task for _, task in self._begun])

    def hand_over(self) -> PendingActions:
        """Everything that was begun, for the sentence that continues this one, which no longer controls it."""
        successor = PendingActions()
        successor._begun, self._begun = self._begun, []
        return successor

    def _cancel(self, first: int) -> None:
        for _, task in self._begun[first:]:
            task.cancel()


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
        principal: Who said it, as far as it is known.
        deeds: What was begun of it while they still spoke.
        decision: What the recognizer made of exactly these words, of a draft for example; None if they are new to it.
        order: The tool that a program orders by it, None where a person says something.
    """

    text: str
    session_id: str = DEFAULT_SESSION
    source: TurnSource = TurnSource.TYPED
    speak: bool = False
    wait: bool = True
    time_allowance: float = 0.0
    turn_id: uuid.UUID = field(default_factory=uuid.uuid4)
    said: float | None = None
    principal: Principal = UNKNOWN
    deeds: PendingActions = field(default_factory=PendingActions, compare=False)
    decision: Decision | None = field(default=None, compare=False)
    order: ToolOrder | None = None

    @property
    def speaker(self) -> str:
        """Who said it and in which way, for the record."""
        ways = {TurnSource.TYPED: "typed text", TurnSource.SPOKEN: "speech", TurnSource.REMOTE: "chat"}
        name = f" by {self.principal.name}" if self.principal.name else ""
        return f"{ways[self.source]}{name} in the conversation {self.session_id!r}"


@dataclass
class TurnResult:
    """How a turn went.

    Attributes:
        reply: All that was answered.
        clauses: Pieces it was given out in, to be spoken.
        agent: Who answered.
        tools_called: In order.
        input_tokens: Read by models.
        output_tokens: Written by models.
        model_calls: Times a model was asked.
        model_retries: Of these, asked again because the server was busy or wanted another protocol.
        model_fallbacks: Of these, asked because another endpoint had failed.
        model_repairs: Of these, asked because an answer was unusable.
        elapsed: s.
        error: What went wrong, None if nothing did.
    """

    reply: str = ""
    clauses: int = 0
    agent: str = ""
    tools_called: list[str] = field(default_factory=list)
    input_tokens: int = 0
    output_tokens: int = 0
    model_calls: int = 0
    model_retries: int = 0
    model_fallbacks: int = 0
    model_repairs: int = 0
    elapsed: float = 0.0
    error: AgentError | None = None


@dataclass(frozen=True)
class SavedTurn:
    """What a turn that waits for a person's yes needs to go on, in a form that outlives the process.

    Attributes:
        request: What was asked.
        history: Items of the conversation before it that the model was shown.
        state: The SDK's own account of the run.
        tainted: Whether the model has read words of others that give orders.
        calls: Tools that were called, with the name of the error each ended with, empty for none.
        origin: Provenance labels of what the model was shown, in one line.
    """

    request: TurnRequest
    history: int
    state: dict[str, Any]
    tainted: bool = False
    calls: tuple[tuple[str, str], ...] = ()
    origin: str = ""

    def to_json(self) -> str:
        """As it is stored."""
        request = self.request
        saved = {
            "version": _VERSION,
            "text": request.text,
            "session_id": request.session_id,
            "source": int(request.source),
            "speak": request.speak,
            "turn_id": str(request.turn_id),
            "principal": asdict(request.principal),
            "history": self.history,
            "state": self.state,
            "tainted": self.tainted,
            "calls": self.calls,
            "origin": self.origin,
        }
        if request.order is not None:
            saved["order"] = asdict(request.order)
        return json.dumps(saved)

    @classmethod
    def from_json(cls, text: str) -> SavedTurn:
        """Reads what was stored.

        Raises:
            AgentError: `STORAGE_FAILED`: it is not what this version of the program stores.
        """
        try:
            stored = _Stored.model_validate_json(text)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise AgentError(ErrorCode.STORAGE_FAILED, f"A turn that waited cannot be taken up: {reason}.") from error
        request = TurnRequest(
            stored.text,
            session_id=stored.session_id,
            source=stored.source,
            speak=stored.speak,
            turn_id=stored.turn_id,
            principal=stored.principal,
            order=stored.order,
        )
        return cls(request, stored.history, stored.state, stored.tainted, tuple(stored.calls), stored.origin)


class _Stored(BaseModel):
    """The form on disk."""

    model_config = ConfigDict(extra="forbid")

    version: Literal[3]
    text: str
    session_id: str
    source: TurnSource
    speak: bool
    turn_id: uuid.UUID
    principal: Principal
    history: NonNegativeInt
    state: dict[str, Any]
    tainted: bool
    calls: list[tuple[str, str]]
    origin: str
    order: ToolOrder | None = None
