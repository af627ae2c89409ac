"""Deliberately unprotected sandbox, in which the attacks of the corpus succeed.

It is a common configuration of Bubblewrap: the root file system is read-only, but files, network, processes and shared
memory of the host are accessible, the folder of the canaries is writable, and system calls are not filtered.
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
"""Timeout of an attack, s."""

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
    """Returns for each tool whether its attack succeeds, keyed by tool name.

    Each attack has separate canaries that it may change.
    """
    with ThreadPoolExecutor(2 * (os.cpu_count() or 1)) as threads:  # some attacks sleep
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
    python = [sys.executable, "-S", "-c", _RUNNER]  # Python starts ten times faster without site packages
    command = [*_CEILING, *_SANDBOX, "--bind", folder, folder, "--", *python]
    arguments = [tool.function, sysconfig.get_path("purelib")]
    try:
        ended = subprocess.run(
            [*command, *arguments], input=tool.data(canaries.words), capture_output=True, timeout=_TIME, check=False
        )
    except subprocess.TimeoutExpired as error:
        return (error.stdout or b"").decode(errors="replace")
    return ended.stdout.decode(errors="replace")
