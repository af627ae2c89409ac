"""The reply on its way to the loudspeaker: clause after clause while nobody else speaks, silent at once on request."""

from __future__ import annotations

import asyncio
import logging
import time
import uuid
from collections.abc import Callable

from reachy_agent_ros.agent.robot_interface import RobotInterface
from reachy_agent_ros.agent.traces.trace import SpanKind, Trace
from reachy_agent_ros.core.errors import AgentError

GRACE = 0.7
"""Seconds after an utterance in which the person may still go on, and a tenth more for the news of that to arrive: a
person who pauses in mid-sentence is not interrupted."""

STALE = 0.5
"""Seconds after which a report that somebody speaks expires unless it is repeated: its sender may have crashed."""
_log = logging.getLogger(__name__)


class TurnVoice:
    """Speaks one turn's clauses in order, while the turn already thinks on. Use it from one event loop.

    Args:
        surroundings: Where it is spoken.
        floor: What each clause waits for: nobody is talked over.
        name: Tells the name of the voice, empty for the configured one.
    """

    def __init__(self, surroundings: RobotInterface, floor: TurnTaking, name: Callable[[], str] = str) -> None:
        self._surroundings = surroundings
        self._floor = floor
        self._name = name
        self._clauses: asyncio.Queue[tuple[str, uuid.UUID, Trace]] = asyncio.Queue()
        self._speaker: asyncio.Task[None] | None = None

    def say(self, text: str, turn_id: uuid.UUID, trace: Trace) -> None:
        """Adds a clause; returns at once."""
        self._clauses.put_nowait((text, turn_id, trace))
        if self._speaker is None or self._speaker.done():
            self._speaker = asyncio.create_task(self._speak())

    def silence(self) -> None:
        """Breaks off what is being said and forgets what was to follow."""
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
                # The answer is there in writing; a missing voice is a warning.
                _log.warning("Not spoken: %s", error)


class TurnTaking:
    """Knows whether a person speaks, or may go on. Use it from one event loop.

    Args:
        clock: Steady clock, s.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._speaking = False
        self._free_at = -float("inf")

    def update(self, speaking: bool) -> None:
        """Takes whether a person speaks now; to be told again and again while they do."""
        if speaking:
            self._free_at = self._clock() + STALE
        elif self._speaking:
            self._free_at = self._clock() + GRACE
        self._speaking = speaking

    async def free(self) -> None:
        """Waits until nobody speaks and nobody will go on."""
        left = self._free_at - self._clock()
        if left > 0.0:
            await asyncio.sleep(left)
            await self.free()
