"""Process under test whose state and output are part of failure reports."""

from __future__ import annotations

import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

import psutil

from reachy_agent_ros.core.paths import runtime_directory
from support import failure_report
from support.nodes.fork_server import ForkedProcess, can_fork


class LoggedProcess:
    """Runs a program during a `with` block, with its output in a file. The program is killed at the end.

    A node of the graph is forked by a server that has already imported it; other programs are started.

    Args:
        command: Program and arguments.
        name: Name in failure reports.
        environment: Complete environment; by default that of the test.

    Attributes:
        pid: Process id.
    """

    def __init__(self, command: Sequence[str], name: str, environment: Mapping[str, str] | None = None) -> None:
        self.name = name
        descriptor, path = tempfile.mkstemp(".log", f"{name}-", runtime_directory())
        self._log = Path(path)
        with open(descriptor, "wb") as log:
            self._process = _started(command, environment or os.environ, log)
        self.pid = self._process.pid
        failure_report.register(self)

    def __enter__(self) -> LoggedProcess:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        failure_report.unregister(self, error)
        self.kill()
        self.wait()

    @property
    def returncode(self) -> int | None:
        """Exit code (negative for a signal), or None until `poll` or `wait` has detected the exit."""
        return self._process.returncode

    def poll(self) -> int | None:
        """Returns the exit code, or None while the process is running."""
        return self._process.poll()

    def wait(self, timeout: float | None = None) -> int:
        """Waits until the process exits and returns the exit code.

        Raises:
            subprocess.TimeoutExpired: The process still runs after `timeout` seconds.
        """
        return self._process.wait(timeout)

    def send_signal(self, number: int) -> None:
        """Sends a signal, unless the process has ended."""
        self._process.send_signal(number)

    def kill(self) -> None:
        """Kills the process, unless it has ended."""
        self._process.kill()

    @property
    def output(self) -> str:
        """Returns the output of the program so far."""
        return self._log.read_text(errors="replace")

    def describe(self) -> str:
        """Returns the process state and the last lines of the output."""
        code = self.poll()
        state = psutil.Process(self.pid).status() if code is None else f"ended with code {code}"
        return f"{self.name} (process {self.pid}): {state}. {failure_report.last_lines(self._log)}"


def _started(
    command: Sequence[str], environment: Mapping[str, str], log: BinaryIO
) -> ForkedProcess | subprocess.Popen[bytes]:
    if can_fork(command, environment):
        return ForkedProcess(command, environment, log)
    return subprocess.Popen(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
