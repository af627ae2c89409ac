"""Talking with the agent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from reachy_agent_ros.agent.permissions.principal import Principal


class StepKind(StrEnum):
    """What happened in a turn that goes on."""

    TOKEN = "token"  # noqa: S105 - a piece of text
    TOOL_STARTED = "tool_started"
    TOOL_ENDED = "tool_ended"
    HANDOFF = "handoff"
    WAITING = "waiting"
    QUEUED = "queued"


@dataclass(frozen=True)
class Step:
    """One thing that happened in a turn.

    Attributes:
        kind: What.
        text: A piece of the reply, a tool's result, or what the turn waits for.
        name: Tool or agent.
        arguments: Of a tool that started, a JSON object.
    """

    kind: StepKind
    text: str = ""
    name: str = ""
    arguments: str = ""


@dataclass(frozen=True)
class Answer:
    """How a turn ended.

    Attributes:
        turn_id: Of the turn; its trace has the same.
        session_id: Conversation it belongs to.
        reply: All that was answered.
        agent: Who answered.
        tools_called: In order.
        elapsed: s.
        input_tokens: Read by models.
        output_tokens: Written by models.
    """

    turn_id: str
    session_id: str
    reply: str
    agent: str
    tools_called: Sequence[str]
    elapsed: float
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(frozen=True)
class SessionSummary:
    """A conversation.

    Attributes:
        session_id: Its name.
        created_at: s since the epoch.
        changed_at: Likewise.
        turns: Sentences of the person in it.
        active_agent: Who answered last.
        beginning: The first sentence, shortened.
        branched_from: Conversation it was copied from, empty if it was not.
    """

    session_id: str
    created_at: float
    changed_at: float
    turns: int
    active_agent: str = ""
    beginning: str = ""
    branched_from: str = ""


@dataclass(frozen=True)
class Said:
    """One message of a conversation.

    Attributes:
        role: "user", "assistant" or "tool".
        content: In words.
        timestamp: s since the epoch, None where it was not kept.
        agent: Who said it, empty for a person.
    """

    role: str
    content: str
    timestamp: float | None = None
    agent: str = ""


class Conversation(Protocol):
    """Turns and conversations. All raise `AgentError`."""

    async def converse(
        self,
        text: str,
        session_id: str,
        watch: Callable[[Step], None],
        *,
        speak: bool,
        allowance: float,
        asked_by: Principal,
    ) -> Answer:
        """One turn, to its end; cancelling it cancels the turn.

        Args:
            text: What the person says.
            session_id: Empty: the common conversation.
            watch: Told of every step, in the event loop's thread.
            speak: Whether the reply is said aloud.
            allowance: s for the turn; 0 is the configured one.
            asked_by: Who says it.
        """
        ...

    async def sessions(self) -> Sequence[SessionSummary]:
        """All of them, the one that changed last first; who answered last is left out."""
        ...

    async def session(self, session_id: str) -> SessionSummary:
        """What is known of a conversation; `NOT_FOUND` where there is none of that name."""
        ...

    async def history(self, session_id: str) -> Sequence[Said]:
        """All that was said in it, oldest first; `NOT_FOUND` likewise."""
        ...

    async def resume(self, session_id: str) -> None:
        """Has spoken sentences go on with it, for as long as the agent's process runs; a new name begins one."""
        ...

    async def delete(self, session_id: str) -> bool:
        """Deletes a conversation and its plan; `NOT_FOUND` likewise.

        Returns:
            Whether no byte of it is left on the disk; false while another process reads the file, and then it goes
            when that is opened next.
        """
        ...
