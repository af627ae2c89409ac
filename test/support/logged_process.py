"""Process under test whose state and output are part of failure reports."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType

import psutil

from reachy_agent_ros.core.paths import runtime_directory
from support import failure_report


class LoggedProcess(subprocess.Popen[bytes]):
    """Runs a program during a `with` block and kills it at the end. Its output goes to a file.

    Args:
        command: Program and arguments.
        name: Name in failure reports.
        environment: Complete environment; by default that of the test.
    """

    def __init__(self, command: Sequence[str], name: str, environment: Mapping[str, str] | None = None) -> None:
        self.name = name
        descriptor, path = tempfile.mkstemp(".log", f"{name}-", runtime_directory())
        self._log = Path(path)
        with open(descriptor, "wb") as log:
            super().__init__(command, env=environment, stdout=log, stderr=subprocess.STDOUT)
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
    def output(self) -> str:
        """Returns the output so far."""
        return self._log.read_text(errors="replace")

    def describe(self) -> str:
        """Returns the state and the end of the output."""
        code = self.poll()
        state = psutil.Process(self.pid).status() if code is None else f"ended with code {code}"
        return f"{self.name} (process {self.pid}): {state}. {failure_report.last_lines(self._log)}"
