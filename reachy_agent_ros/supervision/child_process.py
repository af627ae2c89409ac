"""One process that we started, from its start to its end."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

INTERRUPT_GRACE = 4.0
"""Seconds a process has to end after SIGINT, before SIGTERM."""

TERMINATE_GRACE = 2.0
"""Seconds a process has to end after SIGTERM, before SIGKILL."""


class ChildProcess:
    """Starts a process in a session of its own, so that Ctrl-C in the terminal reaches the supervisor only.

    The files that it writes are readable by its user alone.

    Args:
        command: Program and arguments.
        environment: The whole of its environment.
        nice: Scheduling niceness; kept as it is where the system does not allow this one.
        on_line: Gets each line it prints, from a thread of its own.
        on_end: Called from that thread when the process has ended.

    Attributes:
        pid: Process id.
        started: When, s on the steady clock.
        last_line: The latest line it printed.
    """

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        nice: int,
        on_line: Callable[[str], None],
        on_end: Callable[[], None],
    ) -> None:
        self.started = time.monotonic()
        self.last_line = ""
        self._process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            umask=0o077,
        )
        self.pid = self._process.pid
        with suppress(PermissionError):
            os.setpriority(os.PRIO_PROCESS, self.pid, nice)
        _weigh_session(self.pid, nice)
        self._reader = threading.Thread(target=self._read, args=(on_line, on_end), daemon=True)
        self._reader.start()

    @property
    def running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def stop(self, hurry: threading.Event) -> int:
        """Ends it: SIGINT, then SIGTERM, then SIGKILL.

        Args:
            hurry: When set, SIGKILL comes at once.

        Returns:
            Its exit code, negative for a signal.
        """
        for number, grace in ((signal.SIGINT, INTERRUPT_GRACE), (signal.SIGTERM, TERMINATE_GRACE)):
            if self.running and not hurry.is_set():
                self._process.send_signal(number)
                self._await_end(grace, hurry)
        return self.bury()

    def bury(self) -> int:
        """Kills what is left of it and of the processes it started. Returns its exit code, negative for a signal."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        code = self._process.wait()
        self._reader.join(timeout=1.0)
        return code

    def _await_end(self, grace: float, hurry: threading.Event) -> None:
        end = time.monotonic() + grace
        while self.running and time.monotonic() < end and not hurry.is_set():
            time.sleep(0.02)

    def _read(self, on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
        for line in self._process.stdout or ():
            self.last_line = line.decode(errors="replace").rstrip()
            on_line(self.last_line)
        self._process.wait()  # it closes its output a moment before it can be seen to have ended
        on_end()


def _weigh_session(pid: int, nice: int) -> None:
    """Gives niceness an effect beyond the process's own session, where the kernel schedules by session (autogroups)."""
    with suppress(OSError):  # no such kernel, or not allowed
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
