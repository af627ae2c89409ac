"""The process that reads one source: it limits itself before the source reaches it, and may die of it."""

from __future__ import annotations

import resource
import sys
from typing import Any

from reachy_agent_ros.toolsmith.inside.wire import LARGEST_FROM_BOX, LARGEST_FROM_HOST, read_frame, write_frame
from reachy_agent_ros.toolsmith.validation.examination import examine
from reachy_agent_ros.toolsmith.validation.rejection import Rejection

MEMORY = 256 << 20
"""bytes of address space; a source of the largest size takes a tenth of it."""

CPU_TIME = 4
"""s, after which the kernel ends the process."""


def main() -> None:
    """Reads `{"source", "taken"}` from standard input, writes `{"outline"}` or `{"complaints"}` to standard output."""
    for kind, limit in (
        (resource.RLIMIT_AS, MEMORY),
        (resource.RLIMIT_CPU, CPU_TIME),
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 0),
    ):
        resource.setrlimit(kind, (limit, limit))
    request = read_frame(sys.stdin.buffer, LARGEST_FROM_HOST)
    if request is None:
        return
    answer: dict[str, Any]
    try:
        answer = {"outline": examine(request["source"], request["taken"])}
    except Rejection as rejection:
        answer = {"complaints": [[each.line, each.message] for each in rejection.complaints]}
    write_frame(sys.stdout.buffer, answer, LARGEST_FROM_BOX)
