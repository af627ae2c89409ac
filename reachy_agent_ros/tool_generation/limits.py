"""What one run of a tool may use."""

from __future__ import annotations

from dataclasses import dataclass

MEBIBYTE = 1 << 20

LONGEST_TIME = 300.0
"""s that a tool may ask for."""

LARGEST_MEMORY = 1024 * MEBIBYTE
"""bytes that a tool may ask for."""


@dataclass(frozen=True)
class Limits:
    """Limits of one run. A tool that needs more than these says so in its source, up to the caps.

    Attributes:
        time: s from the job's arrival in the box to its result, sleep included.
        memory: bytes, beyond what the interpreter and its libraries take.
    """

    time: float = 10.0
    memory: int = 512 * MEBIBYTE

    def __post_init__(self) -> None:
        """Refuses what no tool may have."""
        if not 0.0 < self.time <= LONGEST_TIME:
            raise ValueError(f"a time limit is above 0 and at most {LONGEST_TIME:g} s, not {self.time} s")
        if not 0 < self.memory <= LARGEST_MEMORY:
            largest = LARGEST_MEMORY // MEBIBYTE
            raise ValueError(f"a memory limit is above 0 and at most {largest} MiB, not {self.memory / MEBIBYTE:g} MiB")
