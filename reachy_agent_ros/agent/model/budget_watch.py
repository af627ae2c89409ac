"""Keeps the model calls of a task within its budget."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import TypeVar

from reachy_agent_ros.agent.model.counters import ModelCounters
from reachy_agent_ros.agent.model.tier import Budget
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_Event = TypeVar("_Event")


class BudgetWatch:
    """Ends an answer when the task's seconds are used up, and begins none when its tokens are.

    Args:
        budget: What the task may use.
        counters: What it has used; takes the seconds.
    """

    def __init__(self, budget: Budget, counters: ModelCounters) -> None:
        self._budget = budget
        self._counters = counters

    def require_tokens(self) -> None:
        """Refuses another call. The one that went beyond may end: its answer is paid for.

        Raises:
            AgentError: `BUDGET_EXCEEDED`.
        """
        if self._counters.tokens > self._budget.tokens:
            message = f"The task used {self._counters.tokens} tokens of the {self._budget.tokens} it may use."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)

    async def within(self, events: AsyncGenerator[_Event, None]) -> AsyncGenerator[_Event, None]:
        """The events, as long as there are seconds. The time in which nobody asks for the next one is not counted.

        Raises:
            AgentError: `BUDGET_EXCEEDED`.
        """
        async with aclosing(events):
            while True:
                began = time.monotonic()
                try:
                    async with asyncio.timeout(self._budget.seconds - self._counters.seconds) as limit:
                        event = await anext(events)
                except StopAsyncIteration:
                    return
                except TimeoutError as error:
                    if not limit.expired():
                        raise
                    most = self._budget.seconds
                    message = f"The language model took longer than the {most:g} s that a task may have."
                    raise AgentError(ErrorCode.BUDGET_EXCEEDED, message) from error
                finally:
                    self._counters.seconds += time.monotonic() - began
                yield event
