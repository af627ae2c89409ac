"""Budget of one task: what its model calls may use, what they have used, and the watch that ends them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import TypeVar

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_Event = TypeVar("_Event")


@dataclass(frozen=True)
class Budget:
    """What the model calls of one task may use together.

    Attributes:
        tokens: Read and written.
        seconds: Spent waiting for models; tools and people are not counted.
    """

    tokens: int = 40_000
    seconds: float = 120.0


@dataclass
class ModelCounters:
    """Counts of one task, from the moment its model was asked for.

    Attributes:
        calls: Requests sent to any endpoint, those that failed included.
        input_tokens: Read, as far as servers told.
        output_tokens: Written, as far as servers told.
        retries: Requests sent again to the same endpoint: it was busy, or wanted another protocol.
        fallbacks: Requests that went on to another endpoint.
        repaired: Unusable answers that the model was asked to write again.
        salvaged: Calls that were found in what the model wrote as text.
        seconds: s spent waiting for models, and not for tools or people.
        first_token: s until the first piece of an answer came, None before.
        started: Time the task began, s on the monotonic clock.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    retries: int = 0
    fallbacks: int = 0
    repaired: int = 0
    salvaged: int = 0
    seconds: float = 0.0
    first_token: float | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def tokens(self) -> int:
        """Read and written together."""
        return self.input_tokens + self.output_tokens

    @property
    def elapsed(self) -> float:
        """Seconds since the task began."""
        return time.monotonic() - self.started

    def note_piece(self) -> None:
        """Says that a piece of an answer has come."""
        if self.first_token is None:
            self.first_token = self.elapsed


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
