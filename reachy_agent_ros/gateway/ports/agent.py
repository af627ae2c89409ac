"""Port for the agent: talking with it, what people decide about it, and what it remembers."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from reachy_agent_ros.agent.permissions.principal import Principal

Fields = Mapping[str, Any]
"""A message's fields by name, times in s."""


class StepKind(StrEnum):
    """What happened in a turn that goes on."""

    TOKEN = "token"  # noqa: S105 - a piece of text
    TOOL_STARTED = "tool_started"
    TOOL_ENDED = "tool_ended"
    HANDOFF = "handoff"
    WAITING = "waiting"
    QUEUED = "queued"


@dataclass(frozen=True)
class TurnEvent:
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
class TurnOutcome:
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


class ConversationService(Protocol):
    """Turns and conversations. All raise `AgentError`."""

    async def converse(
        self,
        text: str,
        session_id: str,
        watch: Callable[[TurnEvent], None],
        *,
        speak: bool,
        allowance: float,
        asked_by: Principal,
    ) -> TurnOutcome:
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


class Decisions(Protocol):
    """Approvals, grants, the plan and personas. All raise `AgentError`."""

    async def approvals(self) -> Sequence[Fields]:
        """All that waits for a person's yes or no, oldest first."""
        ...

    async def decided(self) -> Sequence[Fields]:
        """The last answers since the agent began, newest first."""
        ...

    async def decide(
        self,
        approval_id: uuid.UUID,
        *,
        approve: bool,
        whole_session: bool,
        valid_for: float,
        comment: str,
        decided_by: Principal,
    ) -> None:
        """Answers what waits.

        Args:
            approval_id: Of the question.
            approve: Yes or no.
            whole_session: Whether a yes holds for this question in the rest of the conversation.
            valid_for: s for which a yes holds for this question; 0: this call.
            comment: The person's words, kept with the decision.
            decided_by: Who answers.

        Raises:
            AgentError: `INVALID_GOAL`: it was answered already, or too late, or never asked;
                `DECISION_NOT_ALLOWED`: who answers may not.
        """
        ...

    async def grants(self) -> Sequence[Fields]:
        """Leave that a person gave beforehand and that still holds, oldest first."""
        ...

    async def grant(
        self, tools: Sequence[str], *, session_id: str, valid_for: float, uses: int, given_by: Principal
    ) -> uuid.UUID:
        """Gives leave, and returns its name.

        Args:
            tools: Names; * stands for any characters.
            session_id: Conversation it holds in; empty: every one.
            valid_for: s; 0: until the agent's process ends.
            uses: Calls it is good for; 0: any number.
            given_by: Who gives it.
        """
        ...

    async def revoke(self, grant_id: uuid.UUID, revoked_by: str) -> None:
        """Ends a leave; `NOT_FOUND` where there is none of that name."""
        ...

    async def plan(self) -> Fields:
        """The plan that changed last."""
        ...

    async def review(self, review: int) -> None:
        """Says what of a plan a person approves: 0 nothing, 1 the plan, 2 each step too."""
        ...

    async def personas(self) -> Sequence[Fields]:
        """Who the robot can be, by name."""
        ...

    async def become(self, name: str) -> None:
        """Makes the robot another persona; `NOT_FOUND` where there is none of that name."""
        ...


@dataclass(frozen=True)
class Remembered:
    """One thing that is remembered.

    Attributes:
        id: Its number, never given twice.
        kind: "fact", "episode", "note" or "document".
        key: A fact's name, the file of a note or document; empty for an episode.
        text: What is remembered.
        source: Where it comes from.
        created: s since the epoch.
        participants: Who took part in an episode.
        score: How well its words answer the query, 0 to 1; None where nothing was searched for.
    """

    id: int
    kind: str
    key: str
    text: str
    source: str
    created: float
    participants: Sequence[str] = ()
    score: float | None = None


@dataclass(frozen=True)
class Forgetting:
    """What was forgotten.

    Attributes:
        forgotten: Entries.
        erased: Whether no byte of them is left on the disk; false while another process reads the file, and then they
            go when it is opened next.
    """

    forgotten: int
    erased: bool


class Memories(Protocol):
    """The memory. All raise `AgentError`."""

    async def find(self, query: str, kinds: Sequence[str], limit: int) -> Sequence[Remembered]:
        """What has a query's words, the best first; without a query all of it, the newest first.

        Args:
            query: Words; empty: none.
            kinds: Sorts of entries; empty: all.
            limit: Entries at most, 1 to 100.
        """
        ...

    async def forget(self, number: int) -> Forgetting:
        """Forgets an entry so that it is gone from the disk.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: it is a passage of a file, which would still hold it.
        """
        ...
