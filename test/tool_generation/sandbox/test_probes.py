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


class NoBox:
    """Starts the program as it is, closed by nothing but the second filter."""

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


def test_a_box_stops_all_that_is_tried(enclosure: SandboxBackend) -> None:
    results = probe(enclosure)
    assert [result.name for result in results] == list(PROBES)
    assert [result for result in results if not result.passed] == []


@pytest.mark.slow
def test_what_is_no_box_is_seen_by_every_probe() -> None:
    failed = {result.name for result in probe(NoBox(no_exec_filter(machine()))) if not result.passed}
    assert failed == set(PROBES) - {"program", "time"}  # those the second filter and the host stop


def test_two_probes_share_no_file_and_leave_none_on_the_host(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the box that holds would answer for one beside it that does not."""
    tasks: list[dict[str, Any]] = []
    ask = probes._ask
    monkeypatch.setattr(probes, "_ask", lambda box, task: (tasks.append(task), ask(box, task))[1])
    for _ in range(2):
        probe(NoBox(no_exec_filter(machine())))
    first, second = ({*task["places"], task["shared_file"]} for task in tasks)
    assert first.isdisjoint(second)
    assert not any(Path(path).exists() for path in first | second)


def test_a_program_that_starts_is_a_failure() -> None:
    assert not any(result.passed for result in probe(NoBox(NoBox.first_filter)))


def test_a_proof_measures_what_a_box_takes_by_itself(enclosure: SandboxBackend) -> None:
    proof = prove(enclosure)
    assert 10 << 20 < proof.overhead < 4 * OVERHEAD
