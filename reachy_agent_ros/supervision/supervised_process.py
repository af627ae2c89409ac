"""Processes that are restarted whenever they end, and the logs of their output."""

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
"""Runtime after which the end of a process does not count as a consecutive failure, s."""

_LONGEST_DELAY = 30.0
"""Longest restart delay of a process that fails repeatedly, s."""

_FILE_SIZE = 5_000_000
"""Size at which a log file is rotated, bytes. One older file is kept."""

_COLORS = (36, 33, 35, 32, 34, 31)


@dataclass(frozen=True)
class ProcessSpecification:
    """Specification of a supervised process.

    Attributes:
        name: Name in logs.
        command: Program and arguments.
        nice: Scheduling niceness.
        restart_delay: Time from the end of the process to its restart, s; doubled with every consecutive failure, up to
            30 s. A process that has run for longer than `SETTLED` is restarted at once.
        prepare: Called before a restart on request. An `AgentError` prevents the restart of all requested processes.
    """

    name: str
    command: Sequence[str]
    nice: int = 0
    restart_delay: float = 0.1
    prepare: Callable[[], None] = lambda: None


class SupervisedProcess:
    """Runs a process and restarts it when it ends. `update` starts the process.

    Args:
        specification: Specification of the process.
        environment: Complete environment of the process.
        log: Receives the output of the process.
        on_end: Called from another thread when the process has ended.

    Attributes:
        name: Name in logs.
        prepare: See `ProcessSpecification`.
        record: Record of the latest process; None before the first start.
    """

    def __init__(
        self,
        specification: ProcessSpecification,
        environment: Mapping[str, str],
        log: NodeLog,
        on_end: Callable[[], None],
    ) -> None:
        self.name = specification.name
        self.prepare = specification.prepare
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
        """Time of the next start (s, monotonic clock); infinity while the process is running."""
        return self._next_start if self._child is None else float("inf")

    def update(self) -> bool:
        """Handles the end of the process, and starts the process when it is due.

        Returns whether the process has ended or started.
        """
        ended = self._child is not None and not self._child.running
        if ended:
            self._end()
        due = self.next_start <= time.monotonic()
        if due:
            self._start()
        return ended or due

    def stop(self, hurry: threading.Event) -> int:
        """Ends the process permanently. Returns its exit code, or 0 if it was not running."""
        code = 0 if self._child is None else self._child.stop(hurry)
        if code:
            self._log.write(_describe_exit(code))
        self._log.close()
        return code

    def restart(self, hurry: threading.Event) -> None:
        """Ends the process. The next `update` starts it again. The end does not count as a failure."""
        self._log.write("restarting on request")
        if self._child is not None:
            self._child.stop(hurry)
        self._child = None
        self._failures = 0
        self._next_start = 0.0

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
        delay = min(self._specification.restart_delay * 2 ** (self._failures - 1), _LONGEST_DELAY)
        if self._failures == 0:  # the process had been running normally
            delay = 0.0
        self._next_start = time.monotonic() + delay
        self.record.last_end = _describe_exit(code) + (f": {child.last_line}" if code > 0 else "")
        self._log.write(f"{_describe_exit(code)}, restarting in {delay:.1f} s")


class NodeLog:
    """Log of a node. Writes each line to a file and, after the node's name, to the terminal.

    Args:
        name: Name of the node.
        directory: Existing folder for the log file.
        index: Number that selects a color.
        width: Width of the column for names.
        echo: Whether lines are also printed to the terminal.
    """

    def __init__(self, name: str, directory: Path, index: int, width: int, echo: bool) -> None:
        self._echo = echo
        self._prefix = f"[{name}]".ljust(width + 2)
        if sys.stdout.isatty() and "NO_COLOR" not in os.environ:
            self._prefix = f"\033[{_COLORS[index % len(_COLORS)]}m{self._prefix}\033[0m"
        self._file = RotatingFileHandler(directory / f"{name}.log", maxBytes=_FILE_SIZE, backupCount=1)
        self._file.setFormatter(Formatter("%(asctime)s %(message)s"))

    def write(self, line: str) -> None:
        """Writes one line. Thread-safe."""
        record: LogRecord = makeLogRecord({"msg": line})
        self._file.handle(record)
        if self._echo:
            # A single call prevents lines of several nodes from mixing.
            sys.stdout.write(f"{self._prefix} {line}\n")
            sys.stdout.flush()

    def close(self) -> None:
        """Closes the file."""
        self._file.close()


def _describe_exit(code: int) -> str:
    """Describes an exit code. It is negative if a signal ended the process."""
    return f"ended with code {code}" if code >= 0 else f"killed by {signal.Signals(-code).name}"
