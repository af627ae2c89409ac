"""The shared memory that DDS needs: enough of it, and none left over from processes that were killed."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode

FOLDER = Path("/dev/shm")  # noqa: S108 (the folder that Fast DDS uses, not a temporary file of ours)

NEEDED = 32 * 2**20
"""Free bytes that the whole graph and its commands need: about 1 MB a node, twice over for restarts, and slack."""

PATTERNS = ("fastdds_*", "fast_datasharing_*", "sem.fastdds_*")


def require_space(folder: Path = FOLDER, needed: int = NEEDED) -> None:
    """Refuses a shared memory that is too small.

    A full one kills nodes with SIGBUS, and a nearly full one leaves them running but deaf.

    Raises:
        AgentError: `STORAGE_FAILED`, naming the folder, what it has and how to get more.
    """
    status = os.statvfs(folder)
    free = status.f_bavail * status.f_frsize
    if free < needed:
        raise AgentError(
            ErrorCode.STORAGE_FAILED,
            f"{folder} has {free / 2**20:.0f} MB free and the graph needs {needed / 2**20:.0f} MB. Delete what fills "
            f"it, or enlarge it: `mount -o remount,size=256M {folder}`, in a container `--shm-size=256m`.",
        )


def sweep(folder: Path = FOLDER) -> int:
    """Removes what killed processes left behind, unless any process still uses files of DDS.

    Nothing is removed then, because a process that is just starting may be about to map what looks unused. This sees
    every node: it maps its files before it takes the lock of its name.

    Returns:
        How many files were removed.
    """
    leftovers = [path for pattern in PATTERNS for path in folder.glob(pattern) if path.stat().st_uid == os.getuid()]
    if not leftovers or in_use(folder):
        return 0
    for path in leftovers:
        path.unlink(missing_ok=True)
    return len(leftovers)


def make_private(folder: Path = FOLDER) -> None:
    """Takes other users' right to read away from the files of DDS that this process has mapped: pictures and sound.

    The library behind Fast DDS sets mode 0644 after creation, so a umask does not help.
    """
    prefixes = _prefixes(folder)
    for name in {path for path in _mapped(Path("/proc/self")) if path.startswith(prefixes)}:
        with suppress(FileNotFoundError, PermissionError):  # it is gone by now, or its owner's to protect
            Path(name).chmod(0o600)


def in_use(folder: Path = FOLDER) -> bool:
    """Whether any process that we may look into has files of DDS mapped or open."""
    prefixes = _prefixes(folder)
    return any(_uses(process, prefixes) for process in Path("/proc").glob("[0-9]*"))


def _uses(process: Path, prefixes: tuple[str, ...]) -> bool:
    try:
        return any(path.startswith(prefixes) for path in [*_mapped(process), *_opened(process)])
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        # It ended while we looked, or belongs to another user, who cannot use files that only we may read.
        return False


def _mapped(process: Path) -> list[str]:
    return [line.split(maxsplit=5)[-1] for line in (process / "maps").read_text().splitlines()]


def _opened(process: Path) -> list[str]:
    paths = []
    for descriptor in (process / "fd").iterdir():
        with suppress(FileNotFoundError):  # closed meanwhile, as is the one that this very loop reads
            paths.append(os.readlink(descriptor))
    return paths


def _prefixes(folder: Path) -> tuple[str, ...]:
    return tuple(str(folder / pattern.rstrip("*")) for pattern in PATTERNS)
