"""Child process in its own session, which is ended by SIGINT, then SIGTERM, then SIGKILL."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

_INTERRUPT_GRACE = 4.0
"""Time between SIGINT and SIGTERM, s."""

_TERMINATE_GRACE = 2.0
"""Time between SIGTERM and SIGKILL, s."""

_OUTPUT_GRACE = 1.0
"""Time to read the rest of the output after the end of a process, s."""

_REACTION_TIME = 10.0
"""Time for the supervisor to react to a signal, and to start processes again, s."""


def stop_limit(processes: int) -> float:
    """Returns the time (s) within which a supervisor ends processes in sequence, even if it has to kill each."""
    return _REACTION_TIME + processes * (_INTERRUPT_GRACE + _TERMINATE_GRACE + _OUTPUT_GRACE)


class ChildProcess:
    """Child process in its own session, so that Ctrl-C in the terminal interrupts only the supervisor.

    Files that the process creates are only readable by its user.

    Args:
        command: Program and arguments.
        environment: Complete environment of the process.
        nice: Scheduling niceness; ignored if the system does not allow it.
        on_line: Receives each line of output, in a separate thread.
        on_end: Called from that thread when the process has ended.

    Attributes:
        pid: Process id.
        started: Start time, s on the monotonic clock.
        last_line: Latest line of output.
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
        """Whether the process is running."""
        return self._process.poll() is None

    def stop(self, hurry: threading.Event) -> int:
        """Ends the process: sends SIGINT, then SIGTERM, then SIGKILL.

        Args:
            hurry: Event that makes SIGKILL follow at once.

        Returns:
            Exit code, negative for a signal.
        """
        for number, grace in ((signal.SIGINT, _INTERRUPT_GRACE), (signal.SIGTERM, _TERMINATE_GRACE)):
            if self.running and not hurry.is_set():
                self._process.send_signal(number)
                self._await_end(grace, hurry)
        return self.bury()

    def bury(self) -> int:
        """Kills the process and its child processes if they are still running.

        Returns the exit code of the process, which is negative if a signal ended it.
        """
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        code = self._process.wait()
        self._reader.join(timeout=_OUTPUT_GRACE)
        return code

    def _await_end(self, grace: float, hurry: threading.Event) -> None:
        end = time.monotonic() + grace
        while self.running and time.monotonic() < end and not hurry.is_set():
            time.sleep(0.02)

    def _read(self, on_line: Callable[[str], None], on_end: Callable[[], None]) -> None:
        for line in self._process.stdout or ():
            self.last_line = line.decode(errors="replace").rstrip()
            on_line(self.last_line)
        self._process.wait()  # the output closes shortly before the exit code is available
        on_end()


def _weigh_session(pid: int, nice: int) -> None:
    """Sets the niceness of the process's session, because kernels with autogroups schedule sessions as a whole."""
    with suppress(OSError):  # autogroups are not available, or the change is not permitted
        Path(f"/proc/{pid}/autogroup").write_text(str(nice))
