"""Append-only audit log of permission decisions, protected by a hash chain."""

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

PATIENCE = 10.0
"""Time to wait while another process writes a record, s. Writing takes milliseconds, but waiting is not first come,
first served: on a busy machine, a process that writes many records can delay another one for seconds."""

Redact = Callable[[str, str], str]
"""Takes a tool's name and the arguments of a call; returns the arguments without the parts that must not be logged."""


def head_path(path: Path) -> Path:
    """Returns the path of the head file of an audit log."""
    return path.with_suffix(".head")


class AuditLog:
    """Append-only log in which each record contains the SHA-256 of the previous record.

    Several processes may write one log: each acquires a lock for every record and continues after the last record on
    disk. An incomplete line left by a crash was never acknowledged: it is replaced by a `repair` record before the next
    record is written. Missing records that were acknowledged are an error.

    Method: the hash chain of Haber and Stornetta, "How to time-stamp a digital document" (1991).

    Args:
        path: Path of the log, in JSON Lines. The head file is next to it.
        redact: Removes confidential parts of a call's arguments; by default nothing is removed.

    Raises:
        AgentError: `STORAGE_FAILED`: the log cannot be opened, another process holds its lock, or its last record does
            not match its head.
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
        """Appends a record and waits until it is on disk. Thread-safe.

        Raises:
            AgentError: `STORAGE_FAILED`: the record is not on disk, so the decision must not take effect.
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
        """Locks the log against other threads and processes. Reads the records that they have appended."""
        with self._lock:
            if self._closed:  # the file descriptor may belong to another file by now
                raise _failure("the log is closed")
            with held(self._log, self._path, PATIENCE):
                try:
                    if os.fstat(self._log).st_size != self._end:
                        self._read_end()
                except OSError as error:
                    raise _failure(str(error)) from error
                yield

    def _read_end(self) -> None:
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
            os.ftruncate(self._log, self._end)  # on a full disk, no partial record may precede the next one
            raise _failure(str(error)) from error
        self._head, self._end = head, self._end + len(line)

    def _recover(self) -> tuple[Head, int]:
        """Recovers from a crash. Returns the current head and the size (bytes) of the removed incomplete line."""
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
        # After a crash between the two writes, the head is one record behind the log.
        before = Head() if len(lines) < 2 else _head_of(lines[-2])
        if found is None or anchor not in (found, before) or (lines and _broken(lines[-1], found, before)):
            raise _failure(
                f"the last record of {self._path} does not match its head file; run 'reachy-agent audit --check', "
                "then move the log and its head file away to start a new log"
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
    """Returns whether the last line of the log is damaged and the head file does not refer to it.

    A disk may write the end of a record, including its line end, before its beginning.
    """
    found, before = _head_of(lines[-1]), Head() if len(lines) < 2 else _head_of(lines[-2])
    return anchor == before and (found is None or _broken(lines[-1], found, before))


def _broken(line: bytes, found: Head, before: Head | None) -> bool:
    """Returns whether the last record is damaged or does not follow from the previous record."""
    return before is None or unsealed_fault(line.decode(errors="replace"), found.count, before.last) is not None


def _tail(file: int, size: int) -> tuple[int, list[bytes]]:
    """Returns the end offset of the last complete line, and the last two complete lines."""
    block = 1 << 16
    while True:
        start = max(0, size - block)
        content = os.pread(file, size - start, start)
        whole = content[: content.rfind(b"\n") + 1]
        lines = whole.split(b"\n")[:-1]
        if start == 0 or len(lines) > 2:  # the first of three lines may start before the block
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
