"""What the kernel lets one box take, as `setrlimit` has it."""

from __future__ import annotations

import math
from collections.abc import Mapping

from reachy_agent_ros.tool_generation.limits import MEBIBYTE, Limits

FILE_SIZE = 8 * MEBIBYTE
OPEN_FILES = 64
THREADS = 4096
"""Of its user in all, for so the kernel counts them: far above what a person's programs have, far below what it has."""

WARM_UP = 5
"""s of processor time that starting may take on top of the run."""


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
