"""Selects the strongest sandbox that can be verified on this host.

The result for the full sandbox is stored until the machine restarts, so that commands need not verify it again. The
weaker sandbox is verified every time, so that a person who enables the full sandbox gets it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.tool_generation import guest, sandbox
from reachy_agent_ros.tool_generation.job import LARGEST_MEMORY, Limits
from reachy_agent_ros.tool_generation.sandbox.backend import Bubblewrap, Descriptors, Landlocked, SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.probes import PROBES, ProbeResult, probe
from reachy_agent_ros.tool_generation.sandbox.process import SandboxProcess
from reachy_agent_ros.tool_generation.sandbox.rootfs import rootfs
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox

_ADVICE = """Generated tools are disabled. To enable them:
- bubblewrap from 0.8: apt install bubblewrap
- Ubuntu 24.04, where AppArmor denies bubblewrap its user namespace ("setting up uid map: Permission denied"):
  apt install apparmor-profiles
  cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
  apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
- Docker: a host whose kernel has Landlock, or --security-opt seccomp=unconfined --security-opt apparmor=unconfined
- a custom kernel: CONFIG_USER_NS, CONFIG_SECCOMP_FILTER, and CONFIG_SECURITY_LANDLOCK with "landlock" in lsm=
See docs/concepts/sandbox.md."""

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def open_sandbox(spares: int = 2) -> Sandbox:
    """Creates a verified sandbox with spare processes. Tries the strongest backend first.

    Args:
        spares: Number of processes that wait for a run.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: no backend passes; the message gives the reasons and how to enable one.
    """
    reasons = []
    for kind, name in ((Bubblewrap, "With namespaces"), (Landlocked, "With Landlock")):
        try:
            backend, proof = _proven(kind)
        except AgentError as error:
            reasons.append(f"{name}: {error.message}")
        else:
            return Sandbox(backend, proof.probes, proof.overhead, spares)
    raise AgentError(
        ErrorCode.SANDBOX_UNAVAILABLE, "\n".join(["No sandbox is available on this machine.", *reasons, _ADVICE])
    )


@dataclass(frozen=True)
class SandboxProof:
    """Proof that a backend isolates processes.

    Attributes:
        probes: Results of all probes, which have passed.
        overhead: Address space that the interpreter and its libraries take, bytes.
    """

    probes: tuple[ProbeResult, ...]
    overhead: int


def prove(backend: SandboxBackend) -> SandboxProof:
    """Verifies a backend, which takes a second.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: a probe failed, or the worker does not start.
    """
    probes = probe(backend)
    if failures := [result for result in probes if not result.passed]:
        raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, _complaint(failures))
    return SandboxProof(probes, _overhead(backend))


def require_start(backend: SandboxBackend, overhead: int) -> None:
    """Checks that a sandbox process starts. This takes less than a tenth of a second.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: the process does not start.
    """
    process = SandboxProcess(backend, Limits(), overhead)
    try:
        process.await_ready(hurry=True)
    finally:
        process.reap()


def remembered(backend: Bubblewrap) -> SandboxProof | None:
    """Returns the stored proof for a backend, or None if it has not been verified since the last boot or change."""
    try:
        record = json.loads(_path().read_text())
        if record["of"] != _identity(backend):
            return None
        proof = SandboxProof(tuple(ProbeResult(**result) for result in record["probes"]), int(record["overhead"]))
    except (AgentError, OSError, ValueError, TypeError, KeyError):
        return None
    whole = [result.name for result in proof.probes if result.passed] == list(PROBES)
    return proof if whole else None


def remember(backend: Bubblewrap, proof: SandboxProof) -> None:
    """Stores a proof. If this fails, the next start verifies the backend again, which takes a second."""
    probes = [asdict(one) for one in proof.probes]
    with suppress(AgentError, OSError):
        record = {"of": _identity(backend), "probes": probes, "overhead": proof.overhead}
        write_durably(_path(), json.dumps(record))


def _proven(kind: type[Bubblewrap] | type[Landlocked]) -> tuple[SandboxBackend, SandboxProof]:
    backend = kind(rootfs())
    known = remembered(backend) if isinstance(backend, Bubblewrap) else None
    try:
        if known is not None:
            require_start(backend, known.overhead)  # namespaces may have been forbidden in the meantime
            return backend, known
        proof = prove(backend)
    except AgentError:
        backend.close()
        raise
    if isinstance(backend, Bubblewrap):
        remember(backend, proof)
    return backend, proof


def _overhead(backend: SandboxBackend) -> int:
    process = SandboxProcess(backend, Limits(memory=LARGEST_MEMORY), LARGEST_MEMORY)
    try:
        process.await_ready()
        return process.address_space()
    finally:
        process.reap()


def _complaint(failures: Sequence[ProbeResult]) -> str:
    if len(failures) == len(PROBES) and len({result.found for result in failures}) == 1:
        return failures[0].found
    return "; ".join(f"it does not prevent {PROBES[result.name]} ({result.found})" for result in failures) + "."


def _path() -> Path:
    return cache_directory() / f"sandbox_proof_{os.getuid()}.json"


def _identity(backend: Bubblewrap) -> str:
    """Returns a digest that changes with the boot, the user, the start command, and the files that it uses."""
    command = backend.command("", Limits(), 0, Descriptors(0, 0, 0, 0))
    parts = [_BOOT_ID.read_text(), str(os.getuid()), *command, backend.first_filter.hex(), *_stamps(backend)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _stamps(backend: Bubblewrap) -> Iterator[str]:
    ours = [file for package in (guest, sandbox) for file in sorted(Path(package.__path__[0]).glob("*.py"))]
    for path in (*backend.programs, *ours):
        state = path.stat()
        yield f"{path} {state.st_mtime_ns} {state.st_size}"
