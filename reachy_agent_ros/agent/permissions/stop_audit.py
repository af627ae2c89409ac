"""Records of stops in the audit log, written in a separate thread because a stop must not wait for the disk."""

from __future__ import annotations

import logging
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.permission_service import AUDIT_FILE
from reachy_agent_ros.core.errors import AgentError

_MOST_WAITING = 1000
"""Maximum number of records that wait for the disk. A flood of stops must not fill the memory."""

_log = logging.getLogger(__name__)


class StopAudit:
    """Records stops in the audit log. Thread-safe. The log is opened only for a record.

    Args:
        directory: State directory, which contains the audit log.
    """

    def __init__(self, directory: Path) -> None:
        self._path = directory / AUDIT_FILE
        self._room = threading.BoundedSemaphore(_MOST_WAITING)
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="stop_audit")
        self._turn = ""

    def note(self, who: str, how: str, turn_id: str = "") -> None:
        """Queues the record of a stop without blocking. Call it after the stop has been sent.

        Args:
            who: Person or program that stopped the robot; empty if unknown.
            how: Way of the stop, such as "HTTP".
            turn_id: Turn that asks for the stop; empty if none. Only the first stop of a turn is recorded, because
                the draft of a spoken stop and its final text both stop the robot.
        """
        if turn_id and turn_id == self._turn:
            return
        self._turn = turn_id
        if not self._room.acquire(blocking=False):
            _log.error("A stop could not be recorded, because %d records are waiting.", _MOST_WAITING)
            return
        name = who or "unknown"
        entry = AuditEntry("stop", "stopped", name, reason=how, turn_id=turn_id, decided_by=name)
        self._writer.submit(self._write, entry)

    def close(self) -> None:
        """Waits until all records are on disk."""
        self._writer.shutdown()

    def _write(self, entry: AuditEntry) -> None:
        try:
            with closing(AuditLog(self._path)) as log:
                log.append(entry)
        except AgentError as error:
            _log.error("A stop could not be recorded: %s", error.message)
        finally:
            self._room.release()
