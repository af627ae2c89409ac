"""What every kind of box has in common: a command that starts a Python file in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from reachy_agent_ros.tool_generation.limits import Limits
from reachy_agent_ros.tool_generation.sandbox.tier import Tier

SCRATCH, SHARED_MEMORY = "/tmp", "/dev/shm"  # noqa: S108 - the box's own
"""Folders that whoever is in a box may write into."""

ENVIRONMENT = {
    "HOME": SCRATCH,
    "LANG": "C.UTF-8",
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "OPENCV_FOR_THREADS_NUM"), "1"),
}
"""All variables that a box has. A pool of BLAS threads would be most of its address space."""


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
