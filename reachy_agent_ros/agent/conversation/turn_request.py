"""Data of a turn: its request, early actions, result, and the form in which it is stored across restarts."""

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
"""Version of the stored form of a waiting turn."""


class TurnSource(IntEnum):
    """Input channel of a turn. Mirrors the constants of the `Converse` action."""

    TYPED = 0
    SPOKEN = 1
    REMOTE = 2


_Start = Callable[[], Coroutine[Any, Any, ToolOutcome]]
"""Starts an action."""


class PendingActions:
    """Actions that began before their sentence was complete, in order of their start.

    An action is not repeated if the speaker continues the sentence. Not thread-safe: use from one event loop.
    """

    def __init__(self) -> None:
        self._begun: list[tuple[Action, asyncio.Task[ToolOutcome]]] = []

    @property
    def begun(self) -> bool:
        """Whether any action has begun."""
        return bool(self._begun)

    async def outcome(self, index: int, action: Action, start: _Start) -> ToolOutcome:
        """Starts the action at `index` if necessary, and waits for its outcome.

        Does not start the action if it has already begun at this index. A different action at this index is cancelled,
        together with all later actions. Cancelling the caller does not cancel the action, because another caller may
        wait for it too.
        """
        known = self._begun[index : index + 1]
        if not known or known[0][0] != action or known[0][1].cancelled():
            self._cancel(index)
            del self._begun[index:]
            self._begun.append((action, asyncio.create_task(start())))
        return await asyncio.shield(self._begun[index][1])

    async def end(self) -> None:
        """Cancels running actions and waits until they have stopped."""
        self._cancel(0)
        if self._begun:
            await asyncio.wait([task for _, task in self._begun])

    def hand_over(self) -> PendingActions:
        """Moves the started actions to a new object that belongs to the next utterance of the same sentence."""
        successor = PendingActions()
        successor._begun, self._begun = self._begun, []
        return successor

    def _cancel(self, first: int) -> None:
        for _, task in self._begun[first:]:
            task.cancel()


@dataclass(frozen=True)
class TurnRequest:
    """Request for a conversation turn.

    Attributes:
        text: User message.
        session_id: Conversation of the turn.
        source: Input channel.
        speak: Whether the reply is spoken.
        wait: Whether to wait for a running turn to end. If not, the request is rejected while a turn is running.
        time_allowance: Time limit of the turn, s; 0 for the configured one.
        turn_id: Id of the turn in events, traces and logs.
        said: Wall clock time of the last sound, seconds since the epoch; None if not spoken.
        principal: Author of the message, as far as known.
        deeds: Actions that began while the person was still speaking.
        decision: Recognizer's decision for exactly this text, for example from a draft; None if there is none.
        order: Tool that a program requests, None for a person's message.
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
        """Description of the request for the audit log: input channel, author (if known) and conversation."""
        ways = {TurnSource.TYPED: "typed text", TurnSource.SPOKEN: "speech", TurnSource.REMOTE: "chat"}
        name = f" by {self.principal.name}" if self.principal.name else ""
        return f"{ways[self.source]}{name} in the conversation {self.session_id!r}"


@dataclass
class TurnResult:
    """Result of a conversation turn.

    Attributes:
        reply: Complete reply.
        clauses: Number of clauses of the reply that could be spoken.
        agent: Name of the agent that answered.
        tools_called: Names of the called tools, in order.
        input_tokens: Input tokens of all model calls.
        output_tokens: Output tokens of all model calls.
        model_calls: Number of model calls.
        model_retries: Model calls that were repeated because the server was busy or required another protocol.
        model_fallbacks: Model calls that were made because another endpoint had failed.
        model_repairs: Model calls that were made because an answer was unusable.
        elapsed: Duration, s.
        error: Error that ended the turn or one of its actions, None if there was none.
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
    """State of a turn that waits for approval, in a form that survives a restart.

    Attributes:
        request: Request of the turn.
        history: Number of earlier conversation items that the model was shown.
        state: State of the run, as serialized by the SDK.
        tainted: Whether the model has read instructions in external text.
        calls: Called tools, each with the name of its error, or an empty string if it succeeded.
        origin: Provenance labels of the text that the model was shown, in one line.
    """

    request: TurnRequest
    history: int
    state: dict[str, Any]
    tainted: bool = False
    calls: tuple[tuple[str, str], ...] = ()
    origin: str = ""

    def to_json(self) -> str:
        """Serializes the turn."""
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
        """Reads a stored turn.

        Raises:
            AgentError: `STORAGE_FAILED`: the text is not a turn of this format version.
        """
        try:
            stored = _Stored.model_validate_json(text)
        except ValidationError as error:
            reason = error.errors()[0]["msg"]
            raise AgentError(ErrorCode.STORAGE_FAILED, f"Cannot resume a waiting turn: {reason}.") from error
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
    """JSON format of a stored turn that waits for approval."""

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
