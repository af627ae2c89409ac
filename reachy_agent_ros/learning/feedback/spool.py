"""Spool file, which stores rows while the database is unavailable.

Rows are appended to the file until all are moved to the database at once. Each line contains a checksum.
"""

from __future__ import annotations

import json
import logging
import os
import zlib
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.durable_file import make_folder, sync_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.rows import Row
from reachy_agent_ros.storage.file_lock import locked

FORMAT = 1
"""Format version of a batch, increased by every change that earlier versions of this program cannot read."""

MAX_BYTES = 64 * 1024 * 1024
"""Maximum size of the spool, bytes: about 100,000 judgments, which is more than accumulates during a temporary
outage."""

_log = logging.getLogger(__name__)


class Spool:
    """Spool file of row batches in order of arrival. Several threads and processes may use it.

    Each batch is one line with a checksum. A line that was truncated by a crash was never acknowledged and is dropped.
    A line that was damaged later is moved to a `.damaged` file.

    Args:
        path: Path of the spool file; its folder is created if missing.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = path.with_name(f"{path.name}.lock")

    @property
    def is_empty(self) -> bool:
        """Whether the spool contains no rows."""
        try:
            return self._path.stat().st_size == 0
        except FileNotFoundError:
            return True

    def append(self, rows: Sequence[Row]) -> None:
        """Appends one batch. When the method returns, the batch is on disk.

        Raises:
            AgentError: `STORAGE_FAILED`, in which case nothing is appended.
        """
        batch = {"format": FORMAT, "rows": [[row.table, row.values] for row in rows]}
        body = json.dumps(batch, ensure_ascii=False, allow_nan=False).encode()
        try:
            make_folder(self._path.parent, 0o700)
            with locked(self._lock):
                self._append(b"%08x %s\n" % (zlib.crc32(body), body))
        except OSError as error:
            raise AgentError(
                ErrorCode.STORAGE_FAILED, f"Cannot write feedback to {self._path}: {error.strerror}."
            ) from error

    def drain(self, take: Callable[[Sequence[Sequence[Row]]], None]) -> int:
        """Passes all batches to `take`, oldest first. Deletes the batches after `take` has returned.

        After a crash in between, the same batches are passed again: `take` must ignore rows that it has already stored.

        Args:
            take: Function that stores the batches durably. If it raises, all batches stay in the spool.

        Returns:
            Number of batches passed.

        Raises:
            AgentError: `STORAGE_FAILED`. Errors of `take` are propagated.
        """
        if self.is_empty:
            return 0
        try:
            with locked(self._lock):
                batches, damaged = self._read()
                if batches:
                    take(batches)
                if damaged:
                    self._set_aside(damaged)
                self._clear()
        except OSError as error:
            raise AgentError(
                ErrorCode.STORAGE_FAILED, f"Cannot read feedback in {self._path}: {error.strerror}."
            ) from error
        return len(batches)

    def _append(self, line: bytes) -> None:
        new = not self._path.exists()
        file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            end = _end_of_lines(file)
            if end + len(line) > MAX_BYTES:
                raise AgentError(
                    ErrorCode.STORAGE_FAILED, f"{self._path} is full: the database has been unavailable for too long."
                )
            try:
                _write(file, line, end)
                os.fsync(file)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(file, end)
                raise
        finally:
            os.close(file)
        if new:
            sync_folder(self._path.parent)

    def _read(self) -> tuple[list[list[Row]], list[bytes]]:
        """Returns the batches and the damaged lines."""
        batches: list[list[Row]] = []
        damaged: list[bytes] = []
        lines = self._path.read_bytes().split(b"\n")
        for line in lines[:-1]:  # the last part is empty, or a line that a crash truncated
            checksum, _, body = line.partition(b" ")
            if checksum == b"%08x" % zlib.crc32(body):
                batches.append(self._batch(json.loads(body)))
            else:
                damaged.append(line)
        return batches, damaged

    def _batch(self, content: Any) -> list[Row]:
        """Parses a line that contains one batch. In format 0, a batch is only a list of rows."""
        version, rows = (content["format"], content["rows"]) if isinstance(content, dict) else (0, content)
        if version > FORMAT:
            message = f"{self._path} was written by a later version of this program."
            raise AgentError(ErrorCode.STORAGE_FAILED, message)
        return [Row(table, values) for table, values in rows]

    def _set_aside(self, lines: Sequence[bytes]) -> None:
        aside = self._path.with_name(f"{self._path.name}.damaged")
        with aside.open("ab") as file:
            file.write(b"".join(line + b"\n" for line in lines))
            file.flush()
            os.fsync(file.fileno())
        sync_folder(aside.parent)
        _log.error("Damaged spool: moved %d lines to %s.", len(lines), aside)

    def _clear(self) -> None:
        file = os.open(self._path, os.O_WRONLY | os.O_CLOEXEC)
        try:
            os.ftruncate(file, 0)
            os.fsync(file)
        finally:
            os.close(file)


def _end_of_lines(file: int) -> int:
    """Returns the offset (bytes) after the last complete line."""
    end = os.fstat(file).st_size
    if end == 0 or os.pread(file, 1, end - 1) == b"\n":
        return end
    return os.pread(file, end, 0).rfind(b"\n") + 1


def _write(file: int, line: bytes, start: int) -> None:
    os.ftruncate(file, start)
    while line:
        written = os.pwrite(file, line, start)
        line, start = line[written:], start + written
