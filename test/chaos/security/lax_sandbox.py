"""Deliberately lax sandbox, in which the attacks succeed. This proves that they are real.

Bubblewrap as one might well use it: the root cannot be written, but the host's files, network, processes and shared
memory are there, the folder of the canaries can be written, and no filter of system calls stands in between.
"""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from corpus.canaries import Canaries
from corpus.hostile_tools import HostileTool

_TIME = 10.0
"""s that an attack may take."""

_CEILING = ("prlimit", "--as=4294967296", "--cpu=10", "--nproc=400", "--core=0", "--")
_SANDBOX = (
    *("bwrap", "--ro-bind", "/", "/", "--dev", "/dev", "--bind", "/dev/shm", "/dev/shm", "--proc", "/proc"),
    *("--tmpfs", "/tmp", "--unshare-user", "--uid", "65534", "--cap-drop", "ALL", "--new-session", "--die-with-parent"),
)
_RUNNER = """
import json, site, sys
site.setquit(), site.setcopyright(), site.sethelper()
sys.path.append(sys.argv[2])
names = {}
exec(compile(sys.stdin.read(), "tool.py", "exec"), names)
result = names[sys.argv[1]]()
if hasattr(result, "cr_code"):  # a coroutine; to import asyncio takes longer than most of the attacks
    result = __import__("asyncio").run(result)
print(json.dumps(result, default=str))
"""


def successes(tools: Sequence[HostileTool]) -> dict[str, bool]:
    """Whether each attack has its effect here, by name. Every one has canaries of its own, as it may change them."""
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as threads:  # some attacks wait
        return dict(zip((tool.name for tool in tools), threads.map(_succeeds, tools), strict=True))


def _succeeds(tool: HostileTool) -> bool:
    canaries = Canaries()
    try:
        output = "".join(_run(tool, canaries) for _ in range(tool.runs))
        return bool(canaries.effects(output))
    finally:
        canaries.close()


def _run(tool: HostileTool, canaries: Canaries) -> str:
    folder = str(canaries.folder)
    python = [sys.executable, "-S", "-c", _RUNNER]  # without site packages Python starts in a tenth of the time
    command = [*_CEILING, *_SANDBOX, "--bind", folder, folder, "--", *python]
    arguments = [tool.function, sysconfig.get_path("purelib")]
    try:
        ended = subprocess.run(
            [*command, *arguments], input=tool.data(canaries.words), capture_output=True, timeout=_TIME, check=False
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace")
    return ended.stdout.decode(errors="replace")
