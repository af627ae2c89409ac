"""A process that is started again whenever it ends, and the log of what it prints."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from logging import Formatter, LogRecord, makeLogRecord
from logging.handlers import RotatingFileHandler
from pathlib import Path

from reachy_agent_ros.supervision.child_process import ChildProcess
from reachy_agent_ros.supervision.record import ProcessRecord

SETTLED = 10.0
"""Seconds that a process has to run for its end not to count as one more failure in a row."""

LONGEST_DELAY = 30.0
"""Seconds between starts of a process that keeps failing, at most."""

_FILE_SIZE = 5_000_000
"""Bytes after which a log file is rotated; one older file is kept."""

_COLOURS = (36, 33, 35, 32, 34, 31)


@dataclass(frozen=True)
class ProcessSpecification:
    """What to run.

    Attributes:
        name: For people.
        command: Program and arguments.
        nice: Scheduling niceness.
        restart_delay: Seconds from its end to its next start, doubled with every failure in a row; a process that ran
            for longer than `SETTLED` starts again at once.
    """

    name: str
    command: Sequence[str]
    nice: int = 0
    restart_delay: float = 0.1


class SupervisedProcess:
    """Runs one specification; not started yet.

    Args:
        specification: What to run.
        environment: The complete environment of the process.
        log: Receives what it prints.
        on_end: Called from another thread when the process has ended.

    Attributes:
        record: The latest process; None before the first start.
    """

    def __init__(
        self,
        specification: ProcessSpecification,
        environment: Mapping[str, str],
        log: NodeLog,
        on_end: Callable[[], None],
    ) -> None:
        self.name = specification.name
        self.record: ProcessRecord | None = None
        self._specification = specification
        self._environment = environment
        self._log = log
        self._on_end = on_end
        self._child: ChildProcess | None = None
        self._failures = 0
        self._next_start = 0.0

    @property
    def next_start(self) -> float:
        """When it is due to start, s on the steady clock; infinite while it is running."""
        return self._next_start if self._child is None else float("inf")

    def update(self) -> bool:
        """Handles its end, and starts it when due. Returns whether either happened."""
        ended = self._child is not None and not self._child.running
        if ended:
            self._end()
        due = self.next_start <= time.monotonic()
        if due:
            self._start()
        return ended or due

    def stop(self, hurry: threading.Event) -> int:
        """Ends it for good. Returns its exit code, 0 if it was not running."""
        code = 0 if self._child is None else self._child.stop(hurry)
        if code:
            self._log.write(describe_exit(code))
        self._log.close()
        return code

    def _start(self) -> None:
        self._child = ChildProcess(
            self._specification.command, self._environment, self._specification.nice, self._log.write, self._on_end
        )
        record = ProcessRecord.of(self._child.pid)
        if self.record is not None:
            record.restarts, record.last_end = self.record.restarts + 1, self.record.last_end
        self.record = record

    def _end(self) -> None:
        child, self._child = self._child, None
        if child is None or self.record is None:
            return
        code = child.bury()
        self._failures = 0 if time.monotonic() - child.started > SETTLED else self._failures + 1
        delay = min(self._specification.restart_delay * 2 ** (self._failures - 1), LONGEST_DELAY)
        if self._failures == 0:  # it was fine until something killed it
            delay = 0.0
        self._next_start = time.monotonic() + delay
        self.record.last_end = describe_exit(code) + (f": {child.last_line}" if code > 0 else "")
        self._log.write(f"{describe_exit(code)}, starts again in {delay:.1f} s")


class NodeLog:
    """Log of one node: writes each line to a file, and with the node's name to the terminal.

    Args:
        name: Name of the node.
        directory: Folder of the log file, which exists.
        index: Number that selects a color.
        width: Width of the column for names.
        echo: Whether lines go to the terminal, too.
    """

    def __init__(self, name: str, directory: Path, index: int, width: int, echo: bool) -> None:
        self._echo = echo
        self._prefix = f"[{name}]".ljust(width + 2)
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            self._prefix = f"\033[{_COLOURS[index % len(_COLOURS)]}m{self._prefix}\033[0m"
        self._file = RotatingFileHandler(directory / f"{name}.log", maxBytes=_FILE_SIZE, backupCount=1)
        self._file.setFormatter(Formatter("%(asctime)s %(message)s"))

    def write(self, line: str) -> None:
        """Writes one line. Any thread may call it."""
        record: LogRecord = makeLogRecord({"msg": line})
        self._file.handle(record)
        if self._echo:
            # One call, so that lines of several nodes do not mix.
            sys.stdout.write(f"{self._prefix} {line}\n")
            sys.stdout.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def describe_exit(code: int) -> str:
    """An exit code in words, negative for a signal."""
    return f"ended with code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
