"""Status of the agent, as published in `AgentState`."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

NO_TURN = uuid.UUID(int=0)


class AgentActivity(IntEnum):
    """Activity of the agent. Mirrors the constants of the `AgentState` message."""

    INITIALIZING = 0
    READY = 1
    PROCESSING = 2
    WAITING_FOR_APPROVAL = 3
    ERROR = 4
    SHUTDOWN = 5


@dataclass(frozen=True)
class Status:
    """Status of the agent: its activity and the turn that it works on.

    Attributes:
        state: Activity.
        detail: One line for people.
        turn_id: Id of the running turn, `NO_TURN` if none.
        agent: Name of the agent that works on the turn, empty if none.
        turns_waiting: Number of turns in the queue behind the running one.
    """

    state: AgentActivity = AgentActivity.INITIALIZING
    detail: str = ""
    turn_id: uuid.UUID = NO_TURN
    agent: str = ""
    turns_waiting: int = 0


class StatusBoard:
    """Derives the agent's status from reported facts. Thread-safe.

    SHUTDOWN is final and takes precedence. The other activities follow in this order: a pending question, a running
    turn, initialization, which never recurs, and the fault of the last turn.

    Args:
        on_change: Called with every new status, in order, in the thread that reported the fact. Must not block.
    """

    def __init__(self, on_change: Callable[[Status], None]) -> None:
        self._on_change = on_change
        self._lock = threading.RLock()
        self._begun = self._closed = False
        self._question = ""
        self._fault = ""
        self._status = Status(detail="waiting for tools")

    @property
    def status(self) -> Status:
        """Current status of the agent."""
        return self._status

    def ready(self) -> None:
        """Reports that initialization is complete."""
        with self._lock:
            self._begun = True
            self._tell()

    def works(self, turn_id: uuid.UUID, agent: str = "") -> None:
        """Reports that a turn is running and which agent handles it."""
        self._tell(turn_id=turn_id, agent=agent)

    def rests(self, fault: str = "") -> None:
        """Reports that no turn is running.

        Args:
            fault: Error of the last turn if it may also affect the next one, else empty.
        """
        with self._lock:
            self._fault = fault
            self._tell(turn_id=NO_TURN, agent="")

    def waits(self, turns: int) -> None:
        """Reports the number of turns that wait for the running turn to end."""
        self._tell(turns_waiting=turns)

    def asks(self, question: str) -> None:
        """Reports the question that awaits a person's answer; an empty text means that no question is pending."""
        with self._lock:
            self._question = question
            self._tell()

    def closes(self) -> None:
        """Reports that the agent is shutting down."""
        with self._lock:
            self._closed = True
            self._tell()

    def _tell(self, **facts: Any) -> None:
        with self._lock:
            status = replace(self._status, **facts)
            state, detail = self._state(status)
            status = replace(status, state=state, detail=detail)
            changed, self._status = status != self._status, status
            if changed:
                self._on_change(status)

    def _state(self, facts: Status) -> tuple[AgentActivity, str]:
        if self._closed:
            return AgentActivity.SHUTDOWN, "shutting down"
        if self._question:
            return AgentActivity.WAITING_FOR_APPROVAL, self._question
        if facts.turn_id != NO_TURN:
            return AgentActivity.PROCESSING, f"processing a turn ({facts.agent or 'no agent yet'})"
        if not self._begun:
            return AgentActivity.INITIALIZING, "waiting for tools"
        return (AgentActivity.ERROR, self._fault) if self._fault else (AgentActivity.READY, "")
