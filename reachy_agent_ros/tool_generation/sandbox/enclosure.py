"""Enclosures: how a box is closed on this host, what the kernel lets it take, and the command that starts it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from reachy_agent_ros.tool_generation.job import MEBIBYTE, Limits

SCRATCH, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 - the box's own
"""Folders that whoever is in a box may write into."""

ENVIRONMENT = {
    "HOME": SCRATCH,
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1"),
}
"""All variables that a box has. A pool of BLAS threads would be most of its address space."""

FILE_SIZE = 8 * MEBIBYTE
OPEN_FILES = 64
THREADS = 4096
"""Of its user in all, for so the kernel counts them: far above what a person's programs have, far below what it has."""

WARM_UP = 5
"""s of processor time that starting may take on top of the run."""


class Tier(StrEnum):
    """From the strongest; what is weaker than these is no box."""

    NAMESPACES = "namespaces"
    """bubblewrap, system call filters and resource limits."""

    LANDLOCK = "landlock"
    """No namespaces: Landlock, system call filters, resource limits and a user of its own. People review each tool."""


@dataclass(frozen=True)
class Descriptors:
    """File descriptors that the starting process inherits.

    Attributes:
        read: The box reads its frames from it.
        write: The box writes its frames to it.
        status: Takes one line of JSON with the host's `child-pid`, whose death is the end of the box.
        filter: Holds the first system call filter.
    """

    read: int
    write: int
    status: int
    filter: int

    @property
    def all(self) -> tuple[int, ...]:
        """Each of them."""
        return (self.read, self.write, self.status, self.filter)


class Enclosure(Protocol):
    """A way to start a box."""

    @property
    def tier(self) -> Tier:
        """Which kind of box."""

    @property
    def first_filter(self) -> bytes:
        """System call filter that is on from the first instruction."""

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        """Command line that starts a box.

        Args:
            entry: Name of a file of `tool_generation/inside/`.
            limits: What the run may use.
            overhead: bytes of address space that come on top of its memory.
            descriptors: What it inherits.
        """

    def close(self) -> None:
        """Removes what boxes needed on the host."""


def resource_limits(limits: Limits, overhead: int) -> Mapping[str, int]:
    """Hard limits by their name in lower case, as `prlimit` and `resource.RLIMIT_*` have it.

    Args:
        limits: Of the run. Its time is kept by the host's clock; here it bounds what a host that is gone leaves.
        overhead: bytes of address space that the interpreter and its libraries take.
    """
    return {
        "as": overhead + limits.memory,
        "cpu": math.ceil(limits.time) + WARM_UP,
        "nofile": OPEN_FILES,
        "fsize": FILE_SIZE,
        "core": 0,
        "stack": 8 * MEBIBYTE,
        "nproc": THREADS,
        "msgqueue": 0,
        "memlock": 0,
    }
