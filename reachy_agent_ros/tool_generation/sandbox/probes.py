"""Proves a kind of box on this host by trying, in a real one, what it must stop."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation.guest.wire import WireError
from reachy_agent_ros.tool_generation.job import MEBIBYTE, Limits
from reachy_agent_ros.tool_generation.sandbox.backend import SHARED_MEMORY, SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.box import SandboxProcess

PROBES = {
    "file": "files of the host",
    "write": "writing outside its scratch",
    "network": "the network",
    "process": "further processes",
    "signal": "signals to other processes",
    "namespace": "namespaces of its own",
    "program": "starting a program",
    "memory": "more memory than it may have",
    "shared memory": "shared memory of the host",
    "time": "running on after its time",
}
"""What a box must stop, by the name of its probe."""

_MEMORY = 256 * MEBIBYTE
_SHARED_MEMORY = 2 * MEBIBYTE
_CLOSED_FOLDERS = ("/", "/usr", "/dev", "/var/tmp")  # noqa: S108 - where nothing must be written
_ANSWER_TIME = 20.0
_SPIN_TIME = 0.1


@dataclass(frozen=True)
class ProbeResult:
    """What came of one probe.

    Attributes:
        name: Key of `PROBES`.
        passed: Whether the box stopped all of it.
        found: What went through, or why nothing can be said.
    """

    name: str
    passed: bool
    found: str = ""


def probe(enclosure: SandboxBackend) -> tuple[ProbeResult, ...]:
    """Runs every probe in one box; takes half a second.

    Its own thread has to outlive the call. What the box reports is checked on the host where the host can see it.
    """
    with tempfile.TemporaryDirectory(prefix="reachy_agent_probe_") as folder:
        folder_path = Path(folder)
        folder_path.chmod(0o777)  # what stops the box is to be the box
        secret = folder_path / "secret"
        secret.write_text("secret")
        secret.chmod(0o666)
        # The folder's name is in no other probe, which may run beside this one in a box that closes nothing.
        places = [folder_path / "new", *(Path(closed, folder_path.name) for closed in _CLOSED_FOLDERS)]
        shared_file = Path(SHARED_MEMORY, folder_path.name)
        try:
            box = SandboxProcess(enclosure, Limits(_ANSWER_TIME, _MEMORY), 0, "probe.py")
        except AgentError as error:
            return _nothing_known(error.message)
        try:
            found = _ask(box, _task(secret, places, shared_file))
        except (AgentError, OSError, WireError) as error:
            return _nothing_known(f"the box with the probes broke off: {error}")
        finally:
            box.reap()
            written, shared = _removed(places), _removed([shared_file])
        found["time"] = [] if found["time"] == [] and not Path(f"/proc/{box.pid}").exists() else ["it lives on"]
        found["write"] += written if secret.read_text() == "secret" else [*written, str(secret)]
        found["shared memory"] += shared
    return tuple(ProbeResult(name, not found[name], ", ".join(found[name])) for name in PROBES)


def _task(secret: Path, places: Sequence[Path], shared_file: Path) -> dict[str, Any]:
    return {
        "secrets": [str(secret), "/etc/passwd", "/etc/hostname", f"/proc/{os.getpid()}/status"],
        "places": [str(secret), *map(str, places)],
        "host": os.getpid(),
        "memory": _MEMORY,
        "shared_memory": _SHARED_MEMORY,
        "shared_file": str(shared_file),
    }


def _removed(paths: Sequence[Path]) -> list[str]:
    """Which of the files that no box may make are on the host; they are not left there."""
    made = [path for path in paths if path.exists()]
    for path in made:
        path.unlink()
    return [f"{path} on the host" for path in made]


def _ask(box: SandboxProcess, task: Mapping[str, Any]) -> dict[str, list[str]]:
    """What went through, by probe; the box then spins until it is killed."""
    box.await_ready()
    deadline = time.monotonic() + _ANSWER_TIME
    box.channel.send(dict(task), deadline)
    report = box.channel.receive(deadline)
    if report is None or set(report) != set(PROBES) - {"time"}:
        raise WireError("it gave no report")
    try:
        box.channel.receive(time.monotonic() + _SPIN_TIME)
    except TimeoutError:
        return {name: [str(what) for what in found] for name, found in report.items()} | {"time": []}
    raise WireError("it ended by itself")


def _nothing_known(why: str) -> tuple[ProbeResult, ...]:
    return tuple(ProbeResult(name, False, why) for name in PROBES)
