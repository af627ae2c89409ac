"""Announces what is due: speaks timers and reminders once, and rings alarms until they are stopped."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

from reachy_agent_ros.agent.announcements import Announcements
from reachy_agent_ros.agent.schedule.entry import Entry, EntryKind, Firing
from reachy_agent_ros.agent.schedule.schedule import Schedule
from reachy_agent_ros.agent.schedule.wording import announcement
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError

PERIOD = 0.5
"""Time between two looks at the clocks, s. Half of the time within which an entry must be announced."""

RING_PAUSE = 4.0
"""Pause between two rings of an alarm, s."""

LONGEST_RING = 600.0
"""Maximum duration of ringing, s."""

STALE_ALARM = 900.0
"""Minimum delay after which an alarm is announced once instead of ringing, s: nobody waits for it any more."""

_log = logging.getLogger(__name__)


class Announcer:
    """Announces due entries of a schedule. Not thread-safe: use from one event loop.

    An entry is recorded as fired before it is announced, and as announced afterwards. A process that is killed in
    between announces it again after its restart: an announcement may be repeated, but is never lost.

    Args:
        schedule: Schedule of the entries.
        announcements: Speaks the announcements.
        changed: Called when an alarm begins or stops ringing.
    """

    def __init__(
        self,
        schedule: Schedule,
        announcements: Announcements,
        changed: Callable[[], None] = lambda: None,
    ) -> None:
        self._schedule = schedule
        self._announcements = announcements
        self._changed = changed
        self._ringing: list[Firing] = []
        self._ring: asyncio.Task[None] | None = None

    @property
    def ringing(self) -> Sequence[Entry]:
        """Alarms that ring now."""
        return [firing.entry for firing in self._ringing]

    async def run(self) -> None:
        """Announces what is due until the task is canceled. Begins with what an earlier process did not announce."""
        look = self._schedule.unannounced
        while True:
            try:
                self._announce(await asyncio.to_thread(look))
                look = self._schedule.fire
            except AgentError as error:  # the entries stay due, and the next look tries again
                _log.error("The schedule cannot be used: %s", error.message)
            await asyncio.sleep(PERIOD)

    def stop_ringing(self) -> list[Entry]:
        """Stops the ringing alarms at once. Returns them."""
        stopped, self._ringing = self._ringing, []
        if self._ring is not None:
            self._ring.cancel()
            self._ring = None
        if stopped:
            self._announcements.start(self._announcements.note(partial(self._schedule.announced, stopped)))
            self._changed()
        return [firing.entry for firing in stopped]

    async def close(self) -> None:
        """Stops speaking. Announces again after the next start what has not been announced completely."""
        await self._announcements.close()

    def _announce(self, firings: Sequence[Firing]) -> None:
        alarms = [one for one in firings if one.entry.kind is EntryKind.ALARM and one.lateness < STALE_ALARM]
        others = [one for one in firings if one not in alarms]
        if others:
            text = announcement(others, self._schedule.clocks)
            announced = partial(self._schedule.announced, others)
            self._announcements.start(self._announcements.announce(text, announced))
        if alarms:
            self._ringing += alarms
            self._changed()
            self._announcements.show(announcement(alarms, self._schedule.clocks))
            if self._ring is None:
                self._ring = self._announcements.start(self._ring_until_stopped())

    async def _ring_until_stopped(self) -> None:
        deadline = Deadline(LONGEST_RING)
        while not deadline.passed:
            await self._announcements.speak(announcement(self._ringing, self._schedule.clocks))
            await asyncio.sleep(RING_PAUSE)
        self.stop_ringing()
