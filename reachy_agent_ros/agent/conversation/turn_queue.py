"""One turn at a time; the others wait in line, or are refused."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import cast

from reachy_agent_ros.core.errors import AgentError, ErrorCode

MAX_WAITING = 4
"""Turns that may wait for the running one; nobody wants answers to what was said a minute ago."""


class TurnQueue:
    """The line. Use it from one event loop; every turn is a task of its own.

    Args:
        on_change: Called with the number of turns that wait behind the one that runs, whenever that may have changed.
    """

    def __init__(self, on_change: Callable[[int], None] = lambda _waiting: None) -> None:
        self._on_change = on_change
        self._one_at_a_time = asyncio.Lock()
        self._turns: set[asyncio.Task[object]] = set()

    @property
    def busy(self) -> bool:
        """Whether a turn runs."""
        return bool(self._turns)

    @asynccontextmanager
    async def admitted(self, wait: bool, on_wait: Callable[[int], None] = lambda _ahead: None) -> AsyncIterator[None]:
        """Waits for its turn.

        Args:
            wait: Whether it would rather wait than be refused.
            on_wait: Called once with the number of turns ahead of it, if there are any that it waits for.

        Raises:
            AgentError: `TURN_IN_PROGRESS`.
        """
        lasting = [turn for turn in self._turns if not turn.cancelling()]  # the others end in a moment: it was stopped
        if lasting and (not wait or len(lasting) > MAX_WAITING):
            raise AgentError(ErrorCode.TURN_IN_PROGRESS, "Another turn is running.")
        task = _this_task()
        self._turns.add(task)
        self._on_change(len(self._turns) - 1)
        if lasting:
            on_wait(len(lasting))
        try:
            async with self._one_at_a_time:
                yield
        finally:
            self._turns.discard(task)
            self._on_change(max(0, len(self._turns) - 1))

    def cancel_others(self) -> None:
        """Cancels every turn that runs or waits, except the one that calls this."""
        for task in self._turns - {_this_task()}:
            task.cancel()

    async def close(self) -> None:
        """Cancels every turn, and waits until all have ended."""
        self.cancel_others()
        if others := self._turns - {_this_task()}:
            await asyncio.wait(others)


def _this_task() -> asyncio.Task[object]:
    return cast("asyncio.Task[object]", asyncio.current_task())
