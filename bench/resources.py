"""Resource use of a running graph."""

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
    """Resource use, summed over all processes.

    Attributes:
        resident: Resident memory, MB.
        descriptors: Number of open files and sockets.
        threads: Number of threads.
        shared_files: Number of files of Fast DDS in /dev/shm.
        write_ahead: Size of the databases' write-ahead logs, MB.
    """

    resident: float
    descriptors: int
    threads: int
    shared_files: int
    write_ahead: float


def resources(pids: Sequence[int], state: Path) -> Resources:
    """Measures the resource use of processes. Processes that have just ended count as zero.

    Args:
        pids: Process ids of the supervisor and every node.
        state: State folder.
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
    """Yields the sizes (bytes) of the write-ahead logs in a folder.

    Unlike `Path.rglob`, `os.walk` tolerates folders that disappear during the walk.
    """
    for folder, _, names in os.walk(state):
        yield from (_size(Path(folder, name)) for name in names if name.endswith("-wal"))


def _size(path: Path) -> int:
    with suppress(FileNotFoundError):  # a database that is closed deletes its log
        return path.stat().st_size
    return 0
