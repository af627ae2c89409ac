"""What a running graph takes of its machine, at one moment."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import psutil

SHARED_MEMORY = Path("/dev/shm")
DDS_FILES = ("fastdds_*", "fastrtps_*", "sem.fastdds_*", "sem.fastrtps_*")


@dataclass(frozen=True)
class Resources:
    """All processes added up.

    Attributes:
        resident: Memory, MB.
        descriptors: Open files and sockets.
        threads: Of all processes.
        shared_files: Of Fast DDS in /dev/shm.
        write_ahead: Write-ahead logs of its databases, MB.
    """

    resident: float
    descriptors: int
    threads: int
    shared_files: int
    write_ahead: float


def resources(pids: Sequence[int], state: Path) -> Resources:
    """Looks at processes; those that have just ended take nothing.

    Args:
        pids: Of the supervisor and every node.
        state: Folder of what they keep.
    """
    resident = descriptors = threads = 0
    for pid in pids:
        with suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            resident += process.memory_info().rss
            descriptors += process.num_fds()
            threads += process.num_threads()
    logs = sum(_write_ahead_logs(state))
    files = sum(len(list(SHARED_MEMORY.glob(pattern))) for pattern in DDS_FILES)
    return Resources(resident / 1e6, descriptors, threads, files, logs / 1e6)


def _write_ahead_logs(state: Path) -> Iterator[int]:
    """Sizes, B. Unlike `Path.rglob`, `os.walk` does not mind folders that go while it walks."""
    for folder, _, names in os.walk(state):
        yield from (_size(Path(folder, name)) for name in names if name.endswith("-wal"))


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):  # a database that nobody has open any more takes its log along
        return path.stat().st_size
    return 0
