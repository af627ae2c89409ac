"""One record for a call that only measures, however often it is repeated."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace

from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.core.errors import AgentError

WINDOW = 10.0
"""s in which repetitions of a call are only counted."""

_log = logging.getLogger(__name__)


class Repetitions:
    """Writes down the first of equal calls at once, and how many followed within `WINDOW` when that is over.

    A program that looks at the robot a hundred times a second would otherwise wait for the disk as often, and fill it
    by gigabytes a day. Use it from the mind's event loop.

    Args:
        audit: Where the records go.
    """

    def __init__(self, audit: AuditLog) -> None:
        self._audit = audit
        self._followed: dict[AuditEntry, int] = {}

    async def write(self, entry: AuditEntry) -> None:
        """Returns when the call is on disk, or counted beside an equal one that is.

        Raises:
            AgentError: `STORAGE_FAILED`: it is neither.
        """
        first = replace(entry, turn_id="")
        if first in self._followed:
            self._followed[first] += 1
            return
        await asyncio.to_thread(self._audit.append, entry)
        if first not in self._followed:  # an equal one may have been written beside it
            self._followed[first] = 0
            asyncio.get_running_loop().call_later(WINDOW, self._end, first)

    def close(self) -> None:
        """Writes down what was counted."""
        for first in list(self._followed):
            self._write_count(first, self._followed.pop(first))

    def _end(self, first: AuditEntry) -> None:
        followed = self._followed.pop(first, 0)
        if followed:
            asyncio.get_running_loop().run_in_executor(None, self._write_count, first, followed)

    def _write_count(self, first: AuditEntry, followed: int) -> None:
        if not followed:
            return
        try:
            self._audit.append(replace(first, reason=f"{first.reason}; {followed} times more within {WINDOW:g} s"))
        except AgentError as error:
            _log.error("%d calls of %s are not written down: %s", followed, first.tool, error.message)
