"""Remembers that the full box held, until the machine starts again, so that a command need not prove it anew.

Only the full box: the lesser one is proven every time, so that a person who enables the full one gets it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.tool_generation import inside, sandbox
from reachy_agent_ros.tool_generation.limits import Limits
from reachy_agent_ros.tool_generation.sandbox.bubblewrap import Bubblewrap
from reachy_agent_ros.tool_generation.sandbox.enclosure import Descriptors
from reachy_agent_ros.tool_generation.sandbox.probes import PROBES, ProbeResult
from reachy_agent_ros.tool_generation.sandbox.proof import Proof

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def remembered(enclosure: Bubblewrap) -> Proof | None:
    """The proof of this very box on this boot; None where there is none, or it is not to be read."""
    try:
        record = json.loads(_path().read_text())
        if record["of"] != _identity(enclosure):
            return None
        proof = Proof(tuple(ProbeResult(**result) for result in record["probes"]), int(record["overhead"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    whole = [result.name for result in proof.probes if result.passed] == list(PROBES)
    return proof if whole else None


def remember(enclosure: Bubblewrap, proof: Proof) -> None:
    """Keeps a proof. A full disk costs the next start a second, no more."""
    record = {"of": _identity(enclosure), "probes": [asdict(one) for one in proof.probes], "overhead": proof.overhead}
    try:
        write_durably(_path(), json.dumps(record))
    except OSError:
        return


def _path() -> Path:
    return cache_directory() / f"sandbox_proof_{os.getuid()}.json"


def _identity(enclosure: Bubblewrap) -> str:
    """Changes with the boot, the user, the command, and every file that takes part."""
    command = enclosure.command("", Limits(), 0, Descriptors(0, 0, 0, 0))
    parts = [_BOOT_ID.read_text(), str(os.getuid()), *command, enclosure.first_filter.hex(), *_stamps(enclosure)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _stamps(enclosure: Bubblewrap) -> Iterator[str]:
    ours = [file for package in (inside, sandbox) for file in sorted(Path(package.__path__[0]).glob("*.py"))]
    for path in (*enclosure.programs, *ours):
        state = path.stat()
        yield f"{path} {state.st_mtime_ns} {state.st_size}"
