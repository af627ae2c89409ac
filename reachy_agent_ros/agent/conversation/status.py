"""What the mind is doing, as others see it."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import IntEnum
from typing import Any

NO_TURN = uuid.UUID(int=0)


class AgentActivity(IntEnum):
    """Mirror of `AgentState`."""

    INITIALIZING = 0
    READY = 1
    PROCESSING = 2
    WAITING_FOR_APPROVAL = 3
    ERROR = 4
    SHUTDOWN = 5


@dataclass(frozen=True)
class Status:
    """A state with what belongs to it.

    Attributes:
        state: What it is doing.
        detail: One line for people.
        turn_id: Turn that runs, `NO_TURN` if none.
        agent: Who works on it, empty if nobody.
        turns_waiting: In line behind it.
    """

    state: AgentActivity = AgentActivity.INITIALIZING
    detail: str = ""
    turn_id: uuid.UUID = NO_TURN
    agent: str = ""
    turns_waiting: int = 0


class StatusBoard:
    """A state machine that is fed with facts; any thread may tell them.

    The state follows from the facts, so that none can be reached that does not fit them: SHUTDOWN is never left, and
    INITIALIZING never reached again; then what a turn does counts, then whether the last one failed for a reason of
    the mind's own.

    Args:
        on_change: Called with every new status, in order, in whichever thread told the fact. It must not block.
    """

    def __init__(self, on_change: Callable[[Status], None]) -> None:
        self._on_change = on_change
        self._lock = threading.RLock()
        self._begun = self._closed = False
        self._question = ""
        self._fault = ""
        self._status = Status(detail="waits for its tools")

    @property
    def status(self) -> Status:
        """The newest."""
        return self._status

    def ready(self) -> None:
        """Everything it needs is there."""
        with self._lock:
            self._begun = True
            self._tell()

    def works(self, turn_id: uuid.UUID, agent: str = "") -> None:
        """A turn runs, and somebody works on it."""
        self._tell(turn_id=turn_id, agent=agent)

    def rests(self, fault: str = "") -> None:
        """No turn runs any more.

        Args:
            fault: Why the last one failed, where that may keep the next from going well too.
        """
        with self._lock:
            self._fault = fault
            self._tell(turn_id=NO_TURN, agent="")

    def waits(self, turns: int) -> None:
        """So many turns are in line behind the one that runs."""
        self._tell(turns_waiting=turns)

    def asks(self, question: str) -> None:
        """A person is asked; nobody any more where empty."""
        with self._lock:
            self._question = question
            self._tell()

    def closes(self) -> None:
        """It ends."""
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
            return AgentActivity.SHUTDOWN, "is shutting down"
        if self._question:
            return AgentActivity.WAITING_FOR_APPROVAL, self._question
        if facts.turn_id != NO_TURN:
            return AgentActivity.PROCESSING, f"{facts.agent or 'somebody'} works on a turn"
        if not self._begun:
            return AgentActivity.INITIALIZING, "waits for its tools"
        return (AgentActivity.ERROR, self._fault) if self._fault else (AgentActivity.READY, "")
