"""Monitored worker process.

The monitor detects crashes, hangs and excessive memory use, and reports the case.
"""

from __future__ import annotations

import multiprocessing
import signal
import tempfile
from collections.abc import Callable, Iterator
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from pathlib import Path

import psutil

from fuzz.target import Target
from fuzz.worker import BEGUN, INPUT, Message, attack
from reachy_agent_ros.core.deadline import Deadline

LARGEST = 1 << 30
"""Maximum memory of a process, including its libraries, B."""

CPU_TIME = 10.0
"""Maximum CPU time of a case, s."""

PATIENCE = 60.0
"""Maximum duration of a case, and of the start of a process, also on a busy machine, s."""

_LOOK_PERIOD = 0.1
_BETWEEN_LOOKS = 200
"""Number of cases after which the memory is checked at the latest."""

_FAST_FOLDER = "/dev/shm"
"""Parent of the scratch folders, in memory, because stores on a disk would wait for every write."""


class WatchedProcess:
    """Process that runs the cases from `first` to `last` - 1. Use it in a `with` block.

    Args:
        make: Factory of the target, which can be pickled.
        seed: Seed of the cases.
        first: Number of the first case.
        last: Number after the last one.

    Attributes:
        case: Number of the current case.
        end: Reason of a premature end; empty for none.
        hung: Whether the process was killed after a timeout.
    """

    def __init__(self, make: Callable[[], Target], seed: int, first: int, last: int) -> None:
        self._context = multiprocessing.get_context("spawn")
        self._plan = (make, seed, first, last)
        self.case = first
        self.end = ""
        self.hung = False

    def __enter__(self) -> WatchedProcess:
        self._scratch = tempfile.TemporaryDirectory(dir=_FAST_FOLDER, prefix="fuzz-", ignore_cleanup_errors=True)
        self._receiver, sender = self._context.Pipe(duplex=False)
        self._process = self._begun(sender)
        self._watched = psutil.Process(self._process.pid)
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.join()
        self._receiver.close()
        self._scratch.cleanup()

    @property
    def input(self) -> bytes:
        """Input of the last case that was started."""
        return Path(self._scratch.name, INPUT).read_bytes()

    def told(self) -> Iterator[Message]:
        """Yields the messages of `worker.attack` until the process ends."""
        begun = False
        while (message := self._next()) is not None:
            begun = True
            self.case = message[1]
            if message[0] == BEGUN and self.case % _BETWEEN_LOOKS == 0 and self._eats():
                return
            yield message
        if not begun:
            raise RuntimeError(f"The process did not run any case: {self.end or 'it exited with code 0'}")

    def _begun(self, sender: Connection) -> SpawnProcess:
        process = self._context.Process(target=attack, args=(sender, *self._plan, self._scratch.name), daemon=True)
        process.start()
        sender.close()
        return process

    def _next(self) -> Message | None:
        patience, used = Deadline(PATIENCE), None
        try:
            while not self._receiver.poll(_LOOK_PERIOD):
                used = self._cpu_time() if used is None else used
                self.hung = patience.passed or self._cpu_time() - used > CPU_TIME
                if self.hung:
                    self.end = f"No answer within {CPU_TIME:g} s of the processor, or {PATIENCE:g} s."
                if self.hung or self._eats():
                    return None
            message: Message = self._receiver.recv()
        except (EOFError, ConnectionResetError):
            self._process.join()
            code = self._process.exitcode or 0
            self.end = f"The process ended by {_name(code)}." if code else ""
            return None
        return message

    def _eats(self) -> bool:
        try:
            size = self._watched.memory_info().rss
        except psutil.NoSuchProcess:
            return False
        if size > LARGEST:
            self.end = f"The process took {size >> 20} MB of memory."
        return bool(self.end)

    def _cpu_time(self) -> float:
        try:
            times = self._watched.cpu_times()
        except psutil.NoSuchProcess:
            return 0.0
        return float(times.user + times.system)


def _name(code: int) -> str:
    return signal.Signals(-code).name if code < 0 else f"exit code {code}"
