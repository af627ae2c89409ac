"""Terminal that runs a program, for tests of interactive input and output."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
from collections.abc import Mapping, Sequence

from support.waiting import wait_until


class Terminal:
    """Pseudo terminal that runs a program.

    Args:
        command: Program and arguments.
        environment: Environment variables of the program.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._person, program = pty.openpty()
        self._process = subprocess.Popen(command, stdin=program, stdout=program, stderr=program, env=dict(environment))
        os.close(program)
        self.shown = ""

    def type(self, text: str) -> None:
        os.write(self._person, text.encode())

    def interrupt(self) -> None:
        """Presses Ctrl-C."""
        self._process.send_signal(signal.SIGINT)

    def wait_for(self, pattern: str) -> None:
        """Waits until the terminal shows a matching text."""

        def seen() -> bool:
            while select.select([self._person], [], [], 0.0)[0]:
                try:
                    self.shown += os.read(self._person, 4096).decode()
                except OSError:  # the program has ended
                    break
            return re.search(pattern, self.shown) is not None

        wait_until(seen, f"{pattern} in {self.shown!r}")

    def wait_for_end(self) -> int:
        """Waits until the program exits. Returns the exit code."""
        wait_until(lambda: self._process.poll() is not None, "the end of the program")
        return int(self._process.returncode)

    def close(self) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._person)
