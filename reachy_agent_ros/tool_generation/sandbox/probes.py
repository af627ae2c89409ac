"""Self-test of a sandbox backend.

Attempts everything that the sandbox must prevent, in a real sandbox process.
"""

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
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess

PROBES = {
    "file": "access to files of the host",
    "write": "writing outside its scratch",
    "network": "network access",
    "process": "starting further processes",
    "signal": "signals to other processes",
    "namespace": "creating namespaces",
    "program": "starting a program",
    "memory": "exceeding its memory limit",
    "shared memory": "use of shared memory of the host",
    "time": "running beyond its time limit",
}
"""Attacks that a sandbox must prevent, by the name of the probe."""

_MEMORY = 256 * MEBIBYTE
_SHARED_MEMORY = 2 * MEBIBYTE
_CLOSED_FOLDERS = ("/", "/usr", "/dev", "/var/tmp")  # noqa: S108 - nothing may be written there
_ANSWER_TIME = 20.0
_SPIN_TIME = 0.1


@dataclass(frozen=True)
class ProbeResult:
    """Result of a probe.

    Attributes:
        name: Key of `PROBES`.
        passed: Whether the sandbox prevented all attempts.
        found: Attempts that succeeded, or the reason why the probe is inconclusive.
    """

    name: str
    passed: bool
    found: str = ""


def probe(backend: SandboxBackend) -> tuple[ProbeResult, ...]:
    """Runs all probes in one process, which takes half a second.

    The calling thread must outlive the call. Reports from the sandbox are verified on the host where possible.
    """
    with tempfile.TemporaryDirectory(prefix="reachy_agent_probe_") as folder:
        folder_path = Path(folder)
        folder_path.chmod(0o777)  # only the sandbox itself must prevent access
        secret = folder_path / "secret"
        secret.write_text("secret")
        secret.chmod(0o666)
        # The folder's name is unique, because another probe may run at the same time without isolation.
        places = [folder_path / "new", *(Path(closed, folder_path.name) for closed in _CLOSED_FOLDERS)]
        shared_file = Path(SHARED_MEMORY, folder_path.name)
        try:
            process = SandboxProcess(backend, Limits(_ANSWER_TIME, _MEMORY), 0, "probe.py")
        except AgentError as error:
            return _nothing_known(error.message)
        try:
            found = _ask(process, _task(secret, places, shared_file))
        except (AgentError, OSError, WireError) as error:
            return _nothing_known(f"the process with the probes failed: {error}")
        finally:
            process.reap()
            written, shared = _removed(places), _removed([shared_file])
        has_ended = found["time"] == [] and not Path(f"/proc/{process.pid}").exists()
        found["time"] = [] if has_ended else ["it is still running"]
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
    """Deletes the forbidden files that the probes have created on the host. Returns their names."""
    made = [path for path in paths if path.exists()]
    for path in made:
        path.unlink()
    return [f"{path} on the host" for path in made]


def _ask(process: SandboxProcess, task: Mapping[str, Any]) -> dict[str, list[str]]:
    """Returns the attempts that succeeded, by probe.

    Afterwards, the process runs in an endless loop until it is killed.
    """
    process.await_ready()
    deadline = time.monotonic() + _ANSWER_TIME
    process.channel.send(dict(task), deadline)
    report = process.channel.receive(deadline)
    if report is None or set(report) != set(PROBES) - {"time"}:
        raise WireError("no report")
    try:
        process.channel.receive(time.monotonic() + _SPIN_TIME)
    except TimeoutError:
        return {name: [str(what) for what in found] for name, found in report.items()} | {"time": []}
    raise WireError("it ended on its own")


def _nothing_known(why: str) -> tuple[ProbeResult, ...]:
    return tuple(ProbeResult(name, False, why) for name in PROBES)
