"""Speech output of replies, clause by clause, with turn-taking and immediate interruption."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable
from contextlib import suppress

from reachy_agent_ros.agent.robot_interface import RobotInterface
from reachy_agent_ros.agent.traces.trace import SpanKind, Trace
from reachy_agent_ros.core.errors import AgentError

GRACE = 0.7
"""Pause after an utterance in which the person may continue, s; includes 0.1 s for the report to arrive.
Prevents the robot from interrupting a person who pauses in mid-sentence."""

STALE = 0.5
"""Time after which a report of speech expires unless it is repeated, s: its sender may have crashed."""

PATIENCE = 5.0
"""Time that an announcement waits for people to finish, s. An alarm must ring in a noisy room too."""

_log = logging.getLogger(__name__)


class TurnVoice:
    """Speaks clauses in order until `silence` is called. Not thread-safe: use from one event loop.

    Args:
        surroundings: Robot that speaks.
        floor: Turn-taking. Each clause waits until nobody speaks.
        name: Returns the name of the voice, empty for the configured one.
    """

    def __init__(self, surroundings: RobotInterface, floor: TurnTaking, name: Callable[[], str] = str) -> None:
        self._surroundings = surroundings
        self._floor = floor
        self._name = name
        self._clauses: asyncio.Queue[tuple[str, uuid.UUID, Trace]] = asyncio.Queue()
        self._speaker: asyncio.Task[None] | None = None

    def say(self, text: str, turn_id: uuid.UUID, trace: Trace) -> None:
        """Adds a clause to the queue."""
        self._clauses.put_nowait((text, turn_id, trace))
        if self._speaker is None or self._speaker.done():
            self._speaker = asyncio.create_task(self._speak())

    async def announce(self, text: str) -> None:
        """Speaks a text apart from the queue, and waits until it has been spoken. `silence` does not interrupt it.

        Raises:
            AgentError: The text was not spoken.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                await self._floor.free()
        await self._surroundings.say(text, uuid.uuid4(), self._name())

    async def spoken(self) -> None:
        """Waits until the clauses of the queue have been spoken or interrupted."""
        if self._speaker is not None:
            await asyncio.wait([self._speaker])

    def silence(self) -> None:
        """Interrupts speech and clears the queue."""
        while not self._clauses.empty():
            self._clauses.get_nowait()
        if self._speaker is not None:
            self._speaker.cancel()
            self._speaker = None

    async def _speak(self) -> None:
        while not self._clauses.empty():
            text, turn_id, trace = self._clauses.get_nowait()
            await self._floor.free()
            try:
                with trace.span(SpanKind.SPEECH, "say") as span:
                    span.summary = text
                    await self._surroundings.say(text, turn_id, self._name())
            except AgentError as error:
                # A warning is enough: the reply is also available as text.
                _log.warning("Cannot speak: %s", error)


class TurnTaking:
    """Tracks whether a person is speaking or may soon continue. Not thread-safe: use from one event loop.

    Args:
        clock: Monotonic clock, s.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speaking = False
        self._free_at = -float("inf")

    def update(self, speaking: bool) -> None:
        """Reports whether a person is speaking. Call it repeatedly while the person speaks."""
        if speaking:
            self._free_at = self._clock() + STALE
        elif self._speaking:
            self._free_at = self._clock() + GRACE
        self._speaking = speaking

    async def free(self) -> None:
        """Waits until nobody speaks and the grace period has passed."""
        left = self._free_at - self._clock()
        if left > 0.0:
            await asyncio.sleep(left)
            await self.free()
