"""Budget of a task's model calls: limits, counters and enforcement."""

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
    """Limits on the total tokens and time of all model calls in one task.

    Attributes:
        tokens: Maximum number of input and output tokens.
        seconds: Maximum time spent waiting for models, s. Time spent on tools and people does not count.
    """

    tokens: int = 40_000
    seconds: float = 120.0


@dataclass
class ModelCounters:
    """Counters of a task's model calls. Counting begins when the model is requested.

    Attributes:
        calls: Requests sent to any endpoint, including failed ones.
        input_tokens: Input tokens, as far as servers report them.
        output_tokens: Output tokens, as far as servers report them.
        retries: Requests sent again to the same endpoint, because it was busy or needed another protocol.
        fallbacks: Requests that were sent to another endpoint after a failure.
        repaired: Unusable answers that the model was asked to correct.
        salvaged: Calls that were found in the text of an answer.
        seconds: Time spent waiting for models, excluding tools and people, s.
        first_token: Time until the first part of an answer, s; None until it is received.
        started: Start of the task, s on the monotonic clock.
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
        """Total number of input and output tokens."""
        return self.input_tokens + self.output_tokens

    @property
    def elapsed(self) -> float:
        """Time (s) since the task began."""
        return time.monotonic() - self.started

    def note_piece(self) -> None:
        """Records that a part of an answer was received."""
        if self.first_token is None:
            self.first_token = self.elapsed


class BudgetWatch:
    """Enforces a budget: ends an answer at the time limit, and rejects new calls when no tokens are left.

    Args:
        budget: Budget of the task.
        counters: Counters of the task, to which the time is added.
    """

    def __init__(self, budget: Budget, counters: ModelCounters) -> None:
        self._budget = budget
        self._counters = counters

    def require_tokens(self) -> None:
        """Rejects a new call if the token budget is exhausted. The call that exhausted it may finish.

        Raises:
            AgentError: `BUDGET_EXCEEDED`.
        """
        if self._counters.tokens > self._budget.tokens:
            message = f"The task used {self._counters.tokens} tokens, but its limit is {self._budget.tokens}."
            raise AgentError(ErrorCode.BUDGET_EXCEEDED, message)

    async def within(self, events: AsyncGenerator[_Event, None]) -> AsyncGenerator[_Event, None]:
        """Yields events until the time budget is exhausted. Only the time spent waiting for events counts.

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
                    message = f"The language model exceeded the time limit of {most:g} s for a task."
                    raise AgentError(ErrorCode.BUDGET_EXCEEDED, message) from error
                finally:
                    self._counters.seconds += time.monotonic() - began
                yield event
