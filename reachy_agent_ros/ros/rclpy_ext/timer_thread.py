"""The threads of the middleware: their priority, and the one of timers, which a deadlock can stop for good."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from reachy_agent_ros.robot.priority import raise_niceness


class TimerThread:
    """Watches the thread in which Fast DDS runs the timers of this process's participant.

    That thread, and the one that takes down what another node leaves behind, can each hold what the other one waits for
    (eProsima/Fast-DDS#6502). From then on the node hears nothing, not even a stop, but goes on to speak, so nobody
    misses it. As the thread sends each sign of life, one that has not run for long never will again.

    Where another middleware is used, there is nothing to watch.
    """

    def __init__(self) -> None:
        self._statistics = [thread / "schedstat" for thread in _threads("dds.ev.")]
        self._seen: list[str] = []
        self._unchanged = 0

    def look(self) -> int:
        """Looks whether it has run, and returns at how many looks in a row it has not."""
        seen = [path.read_text() for path in self._statistics]
        self._unchanged = self._unchanged + 1 if seen and seen == self._seen else 0
        self._seen = seen
        return self._unchanged


def hurry_middleware() -> None:
    """Has the threads of Fast DDS run before those that compute, where this user may.

    To publish waits for their locks. On a machine that is too busy a heartbeat took up to a second for that reason, and
    the robot held because it did not hear its commander.
    """
    for thread in _threads("dds."):
        with suppress(ProcessLookupError):  # it has ended meanwhile
            raise_niceness(int(thread.name))


def _threads(name: str) -> Iterator[Path]:
    """Folders of this process's threads whose names begin so."""
    for task in Path("/proc/self/task").iterdir():
        with suppress(FileNotFoundError, ProcessLookupError):  # it has ended meanwhile
            if (task / "comm").read_text().startswith(name):
                yield task
