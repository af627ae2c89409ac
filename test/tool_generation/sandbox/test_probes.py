import sys
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.tool_generation import guest
from reachy_agent_ros.tool_generation.job import Limits
from reachy_agent_ros.tool_generation.sandbox import probes
from reachy_agent_ros.tool_generation.sandbox.backend import Descriptors, SandboxBackend, SandboxTier
from reachy_agent_ros.tool_generation.sandbox.bpf import ALLOW, assemble
from reachy_agent_ros.tool_generation.sandbox.opening import prove
from reachy_agent_ros.tool_generation.sandbox.probes import PROBES, probe
from reachy_agent_ros.tool_generation.sandbox.seccomp import MACHINES, machine, no_exec_filter
from support.tool_generation.unguarded_box import OVERHEAD


class Unisolated:
    """Sandbox backend without isolation, except for the second system call filter."""

    tier = SandboxTier.NAMESPACES
    first_filter = assemble(MACHINES[machine()], (), ALLOW)

    def __init__(self, second_filter: bytes) -> None:
        self._second_filter = second_filter.hex()

    def command(self, entry: str, limits: Limits, overhead: int, descriptors: Descriptors) -> list[str]:
        program = Path(guest.__path__[0], entry)
        root = str(program.parents[3])
        start = f"""
import json, os, resource
os.write({descriptors.status}, json.dumps({{"child-pid": os.getpid()}}).encode() + b"\\n")
no_new_privileges = __import__("ctypes").CDLL(None).prctl(38, 1, 0, 0, 0)
words = {[str(program), str(descriptors.read), str(descriptors.write), self._second_filter, root]!r}
os.execv({sys.executable!r}, [{sys.executable!r}, "-I", "-S", "-B", *words])
"""
        return [sys.executable, "-c", start]

    def close(self) -> None:
        pass


def test_sandbox_passes_every_probe(backend: SandboxBackend) -> None:
    results = probe(backend)
    assert [result.name for result in results] == list(PROBES)
    assert [result for result in results if not result.passed] == []


@pytest.mark.slow
def test_probes_detect_missing_isolation() -> None:
    failed = {result.name for result in probe(Unisolated(no_exec_filter(machine()))) if not result.passed}
    assert failed == set(PROBES) - {"program", "time"}  # attacks that the second filter and the host prevent


def test_probes_use_separate_files_and_remove_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """Probes must not share files: the results of a working sandbox could let a sandbox without isolation pass."""
    tasks: list[dict[str, Any]] = []
    ask = probes._ask
    monkeypatch.setattr(probes, "_ask", lambda process, task: (tasks.append(task), ask(process, task))[1])
    for _ in range(2):
        probe(Unisolated(no_exec_filter(machine())))
    first, second = ({*task["places"], task["shared_file"]} for task in tasks)
    assert first.isdisjoint(second)
    assert not any(Path(path).exists() for path in first | second)


def test_probe_fails_if_it_can_start_a_program() -> None:
    assert not any(result.passed for result in probe(Unisolated(Unisolated.first_filter)))


def test_sandbox_verification_measures_memory_overhead(backend: SandboxBackend) -> None:
    proof = prove(backend)
    assert 10 << 20 < proof.overhead < 4 * OVERHEAD
