"""A box that is lax on purpose, to show that what the sandbox stops would happen without it.

Bubblewrap as one might well use it: a root that cannot be written, but the host's files, network, processes and shared
memory are there, the canaries' folder can be written, and no filter of system calls stands in between. The attacks
that could harm the machine (`dangerous`) are not run even here.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence

from corpus.canaries import Canaries
from corpus.hostile_source import HostileSource, hostile_sources

CHECKABLE = ("file", "net", "proc", "escape")
"""Classes whose effect on the canaries shows that an attack worked."""

_TIME = 10.0
_CEILING = ("prlimit", "--as=4294967296", "--cpu=10", "--nproc=400", "--core=0", "--")
_BOX = (
    *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--bind", "/dev/shm", "/dev/shm", "--proc", "/proc"),
    *("--tmpfs", "/tmp", "--unshare-user", "--uid", "65534", "--cap-drop", "ALL", "--new-session", "--die-with-parent"),
)
_RUNNER = """
import asyncio, inspect, json, sys
names = {}
exec(compile(sys.stdin.read(), "tool.py", "exec"), names)
result = names[sys.argv[1]]()
result = asyncio.run(result) if inspect.iscoroutine(result) else result
print(json.dumps(result, default=str))
"""


def fired(sources: Sequence[HostileSource]) -> dict[str, bool]:
    """Whether each attack worked in the lax box. Every one has canaries of its own, for it may change them."""
    return {source.name: _fires(source) for source in sources}


def checkable_sources() -> list[HostileSource]:
    """Those that can be run here, and whose effect can be seen."""
    return [
        source
        for source in hostile_sources()
        if source.kind in CHECKABLE and not source.marks & {"dangerous", "contained", "must fail"}
    ]


def _fires(source: HostileSource) -> bool:
    canaries = Canaries()
    try:
        told = "".join(_run(source, canaries) for _ in range(1 + ("twice" in source.marks)))
        return bool(canaries.effects(told))
    finally:
        canaries.close()


def _run(source: HostileSource, canaries: Canaries) -> str:
    folder = str(canaries.folder)
    command = [*_CEILING, *_BOX, "--bind", folder, folder, "--", sys.executable, "-c", _RUNNER, source.function]
    try:
        ended = subprocess.run(
            command, input=source.filled(canaries.words), capture_output=True, timeout=_TIME, check=False
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace")
    return ended.stdout.decode(errors="replace")


if __name__ == "__main__":
    outcomes = fired(checkable_sources())
    held = [name for name, worked in outcomes.items() if not worked]
    print(json.dumps({"fired": len(outcomes) - len(held), "of": len(outcomes), "held": held}))
