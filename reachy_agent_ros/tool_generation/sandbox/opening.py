"""Opens the strongest sandbox that this host can be shown to have, or refuses.

Remembers that the full box held, until the machine starts again, so that a command need not prove it anew. Only the
full box: the lesser one is proven every time, so that a person who enables the full one gets it.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.tool_generation import guest, sandbox
from reachy_agent_ros.tool_generation.job import LARGEST_MEMORY, Limits
from reachy_agent_ros.tool_generation.sandbox.backend import Bubblewrap, Descriptors, Landlocked, SandboxBackend
from reachy_agent_ros.tool_generation.sandbox.box import SandboxProcess
from reachy_agent_ros.tool_generation.sandbox.probes import PROBES, ProbeResult, probe
from reachy_agent_ros.tool_generation.sandbox.rootfs import rootfs
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox

_ADVICE = """Generated tools stay off. To enable them:
- bubblewrap from 0.8: apt install bubblewrap
- Ubuntu 24.04, where AppArmor denies bubblewrap its user namespace ("setting up uid map: Permission denied"):
  apt install apparmor-profiles
  cp /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/
  apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict
- Docker: a host whose kernel has Landlock, or --security-opt seccomp=unconfined --security-opt apparmor=unconfined
- a kernel of one's own: CONFIG_USER_NS, CONFIG_SECCOMP_FILTER, and CONFIG_SECURITY_LANDLOCK with "landlock" in lsm=
See docs/concepts/sandbox.md."""

_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")


def open_sandbox(spares: int = 2) -> Sandbox:
    """Proves a box by trying it, the full one first, and starts the spares.

    Args:
        spares: Boxes that wait for a run.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: no kind of box holds; it says what failed and how to enable it.
    """
    reasons = []
    for kind, name in ((Bubblewrap, "With namespaces"), (Landlocked, "With Landlock")):
        try:
            enclosure, proof = _proven(kind)
        except AgentError as error:
            reasons.append(f"{name}: {error.message}")
        else:
            return Sandbox(enclosure, proof.probes, proof.overhead, spares)
    raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, "\n".join(["No sandbox works on this machine.", *reasons, _ADVICE]))


@dataclass(frozen=True)
class SandboxProof:
    """That a kind of box holds.

    Attributes:
        probes: All of them, passed.
        overhead: bytes of address space that the interpreter and its libraries take.
    """

    probes: tuple[ProbeResult, ...]
    overhead: int


def prove(enclosure: SandboxBackend) -> SandboxProof:
    """Tries it; a second.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: a probe failed, or the worker does not start.
    """
    probes = probe(enclosure)
    if failures := [result for result in probes if not result.passed]:
        raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, _complaint(failures))
    return SandboxProof(probes, _overhead(enclosure))


def require_start(enclosure: SandboxBackend, overhead: int) -> None:
    """Starts a box and ends it, in less than a tenth of a second.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: it does not start.
    """
    box = SandboxProcess(enclosure, Limits(), overhead)
    try:
        box.await_ready(hurry=True)
    finally:
        box.reap()


def remembered(enclosure: Bubblewrap) -> SandboxProof | None:
    """The proof of this very box on this boot; None where there is none, or it is not to be read."""
    try:
        record = json.loads(_path().read_text())
        if record["of"] != _identity(enclosure):
            return None
        proof = SandboxProof(tuple(ProbeResult(**result) for result in record["probes"]), int(record["overhead"]))
    except (OSError, ValueError, TypeError, KeyError):
        return None
    whole = [result.name for result in proof.probes if result.passed] == list(PROBES)
    return proof if whole else None


def remember(enclosure: Bubblewrap, proof: SandboxProof) -> None:
    """Keeps a proof. A full disk costs the next start a second, no more."""
    record = {"of": _identity(enclosure), "probes": [asdict(one) for one in proof.probes], "overhead": proof.overhead}
    try:
        write_durably(_path(), json.dumps(record))
    except OSError:
        return


def _proven(kind: type[Bubblewrap] | type[Landlocked]) -> tuple[SandboxBackend, SandboxProof]:
    enclosure = kind(rootfs())
    known = remembered(enclosure) if isinstance(enclosure, Bubblewrap) else None
    try:
        if known is not None:
            require_start(enclosure, known.overhead)  # a person may have forbidden namespaces since
            return enclosure, known
        proof = prove(enclosure)
    except AgentError:
        enclosure.close()
        raise
    if isinstance(enclosure, Bubblewrap):
        remember(enclosure, proof)
    return enclosure, proof


def _overhead(enclosure: SandboxBackend) -> int:
    box = SandboxProcess(enclosure, Limits(memory=LARGEST_MEMORY), LARGEST_MEMORY)
    try:
        box.await_ready()
        return box.address_space()
    finally:
        box.reap()


def _complaint(failures: Sequence[ProbeResult]) -> str:
    if len(failures) == len(PROBES) and len({result.found for result in failures}) == 1:
        return failures[0].found
    return "; ".join(f"it does not stop {PROBES[result.name]} ({result.found})" for result in failures) + "."


def _path() -> Path:
    return cache_directory() / f"sandbox_proof_{os.getuid()}.json"


def _identity(enclosure: Bubblewrap) -> str:
    """Changes with the boot, the user, the command, and every file that takes part."""
    command = enclosure.command("", Limits(), 0, Descriptors(0, 0, 0, 0))
    parts = [_BOOT_ID.read_text(), str(os.getuid()), *command, enclosure.first_filter.hex(), *_stamps(enclosure)]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def _stamps(enclosure: Bubblewrap) -> Iterator[str]:
    ours = [file for package in (guest, sandbox) for file in sorted(Path(package.__path__[0]).glob("*.py"))]
    for path in (*enclosure.programs, *ours):
        state = path.stat()
        yield f"{path} {state.st_mtime_ns} {state.st_size}"
