"""The record of every decision, which nothing is taken out of."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import asdict, replace
from pathlib import Path

from reachy_agent_ros.agent.permissions.audit_record import (
    FORMAT,
    AuditEntry,
    Head,
    canonical,
    is_later,
    read_head,
    sealed,
    shortened,
    unsealed_fault,
    write_head,
)
from reachy_agent_ros.core.durable_file import make_folder, sync_folder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.file_lock import held

PATIENCE = 2.0
"""s to wait for another process that writes a record, which takes milliseconds."""

Redact = Callable[[str, str], str]
"""Takes a tool's name and a call's arguments; returns what of them is kept."""


def head_path(path: Path) -> Path:
    """Where the head of a log lies."""
    return path.with_suffix(".head")


class AuditLog:
    """Appends records, each of which holds the SHA-256 of the one before it.

    Several processes may write one log: each takes a lock for every record, and continues from the last one on disk. A
    line that a crash left unfinished is removed before the next record, and a record of that takes its place: the line
    was never acknowledged. Records that were acknowledged and are missing are an error.

    Method: the hash chain of Haber and Stornetta, "How to time-stamp a digital document" (1991).

    Args:
        path: The log, JSON Lines; its head lies beside it.
        redact: What of a call's arguments is kept; all of it where not given.

    Raises:
        AgentError: `STORAGE_FAILED`: it cannot be opened, another process keeps its lock, or its end does not fit its
            head.
    """

    def __init__(self, path: Path, redact: Redact = lambda _tool, arguments_json: arguments_json) -> None:
        self._path = path
        self._redact = redact
        self._lock = threading.Lock()
        self._closed = False
        self._head = Head()
        self._end = -1
        try:
            make_folder(path.parent)
            with ExitStack() as files:
                self._log = _open(path, files, os.O_APPEND)
                self._head_file = _open(head_path(path), files)
                sync_folder(path.parent)
                with self._alone():
                    pass
                self._files = files.pop_all()
        except OSError as error:
            raise _failure(str(error)) from error

    def append(self, entry: AuditEntry) -> None:
        """Adds a record, from any thread; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`: it is not on disk, and what was decided must not be done.
        """
        kept = replace(
            entry,
            arguments_json=shortened(self._redact(entry.tool, entry.arguments_json)),
            reason=shortened(entry.reason),
            tool=shortened(entry.tool),
        )
        with self._alone():
            self._write(kept)

    def close(self) -> None:
        """Closes the files."""
        with self._lock:
            self._closed = True
            self._files.close()

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Keeps other threads and processes from writing, and continues from the last record, whoever wrote it."""
        with self._lock:
            if self._closed:  # its file number may be another file's by now
                raise _failure("it is closed")
            with held(self._log, self._path, PATIENCE):
                try:
                    if os.fstat(self._log).st_size != self._end:
                        self._take_up()
                except OSError as error:
                    raise _failure(str(error)) from error
                yield

    def _take_up(self) -> None:
        self._head, torn = self._recover()
        self._end = os.fstat(self._log).st_size
        if torn:
            self._write(AuditEntry("repair", "torn", reason=f"A crash had left {torn} bytes of an unfinished record."))

    def _write(self, entry: AuditEntry) -> None:
        number = self._head.count + 1
        place = {"number": number, "previous": self._head.last, "time": round(time.time(), 3)}
        record = sealed({**asdict(entry), **place, "format": FORMAT})
        line = f"{canonical(record)}\n".encode()
        head = Head(number, record["hash"])
        try:
            _write(self._log, line)
            os.fdatasync(self._log)
            write_head(self._head_file, head)
        except OSError as error:
            os.ftruncate(self._log, self._end)  # a full disk must leave no half record in the way of the next
            raise _failure(str(error)) from error
        self._head, self._end = head, self._end + len(line)

    def _recover(self) -> tuple[Head, int]:
        """The head to go on from, and how many bytes of an unfinished line were taken away."""
        size = os.fstat(self._log).st_size
        tail, lines = _tail(self._log, size)
        anchor = read_head(head_path(self._path))
        if lines and _later(lines[-1]):
            raise _failure(f"{self._path} was written by a later version of this program")
        if lines and _unacknowledged(lines, anchor):
            tail, lines = _tail(self._log, tail - len(lines[-1]) - 1)
        torn = size - tail
        found = Head() if not lines else _head_of(lines[-1])
        if anchor is None and not lines:
            anchor = Head()
            write_head(self._head_file, anchor)
        # A crash between the log and its head leaves the head one behind.
        before = Head() if len(lines) < 2 else _head_of(lines[-2])
        if found is None or anchor not in (found, before) or (lines and _broken(lines[-1], found, before)):
            raise _failure(
                f"the end of {self._path} is not what was written last; look with 'reachy-agent audit --check', "
                "then move the log and its head away to begin a new one"
            )
        if torn:
            os.ftruncate(self._log, tail)
        if anchor != found:
            write_head(self._head_file, found)
        return found, torn


def _head_of(line: bytes) -> Head | None:
    try:
        record = json.loads(line)
        return Head(record["number"], record["hash"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None


def _later(line: bytes) -> bool:
    try:
        return is_later(json.loads(line))
    except (ValueError, AttributeError, RecursionError):
        return False


def _unacknowledged(lines: list[bytes], anchor: Head | None) -> bool:
    """Whether the last line is damaged and the head was not told of it yet.

    A disk may write the end of a record, with the end of its line, before its beginning.
    """
    found, before = _head_of(lines[-1]), Head() if len(lines) < 2 else _head_of(lines[-2])
    return anchor == before and (found is None or _broken(lines[-1], found, before))


def _broken(line: bytes, found: Head, before: Head | None) -> bool:
    """Whether the last record is wrong in itself or does not follow from the one before it."""
    return before is None or unsealed_fault(line.decode(errors="replace"), found.count, before.last) is not None


def _tail(file: int, size: int) -> tuple[int, list[bytes]]:
    """Where the last whole line ends, and the last two lines."""
    block = 1 << 16
    while True:
        start = max(0, size - block)
        content = os.pread(file, size - start, start)
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        if start == 0 or len(lines) > 2:  # the first of three may begin before the block
            return start + len(whole), lines[-2:]
        block *= 4


def _open(path: Path, files: ExitStack, flags: int = 0) -> int:
    file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | flags, 0o600)
    files.callback(os.close, file)
    return file


def _write(file: int, content: bytes) -> None:
    while content:
        content = content[os.write(file, content) :]


def _failure(complaint: str) -> AgentError:
    return AgentError(ErrorCode.STORAGE_FAILED, f"The audit log cannot be written: {complaint}.")
