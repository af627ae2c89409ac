"""What a person said, and how the turn that answers it went."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, field
from enum import IntEnum

from reachy_agent_ros.agent.conversation.deeds import Deeds
from reachy_agent_ros.agent.permissions.principal import UNKNOWN, Principal
from reachy_agent_ros.agent.sessions.session_store import DEFAULT_SESSION
from reachy_agent_ros.core.errors import AgentError


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
        principal: Who said it, as far as it is known.
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
    principal: Principal = UNKNOWN
    deeds: Deeds = field(default_factory=Deeds, compare=False)

    @property
    def speaker(self) -> str:
        """Who said it and in which way, for the record."""
        ways = {Source.TYPED: "typed text", Source.SPOKEN: "speech", Source.REMOTE: "chat"}
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
