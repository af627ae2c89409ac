"""What is known of a kind of box on this host: its probes, and how much it takes by itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.limits import LARGEST_MEMORY, Limits
from reachy_agent_ros.tool_generation.sandbox.box import Box
from reachy_agent_ros.tool_generation.sandbox.enclosure import Enclosure
from reachy_agent_ros.tool_generation.sandbox.probes import PROBES, ProbeResult, probe


@dataclass(frozen=True)
class Proof:
    """That a kind of box holds.

    Attributes:
        probes: All of them, passed.
        overhead: bytes of address space that the interpreter and its libraries take.
    """

    probes: tuple[ProbeResult, ...]
    overhead: int


def prove(enclosure: Enclosure) -> Proof:
    """Tries it; a second.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: a probe failed, or the worker does not start.
    """
    probes = probe(enclosure)
    if failures := [result for result in probes if not result.passed]:
        raise AgentError(ErrorCode.SANDBOX_UNAVAILABLE, _complaint(failures))
    return Proof(probes, _overhead(enclosure))


def require_start(enclosure: Enclosure, overhead: int) -> None:
    """Starts a box and ends it, in less than a tenth of a second.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: it does not start.
    """
    box = Box(enclosure, Limits(), overhead)
    try:
        box.await_ready(hurry=True)
    finally:
        box.reap()


def _overhead(enclosure: Enclosure) -> int:
    box = Box(enclosure, Limits(memory=LARGEST_MEMORY), LARGEST_MEMORY)
    try:
        box.await_ready()
        return box.address_space()
    finally:
        box.reap()


def _complaint(failures: Sequence[ProbeResult]) -> str:
    if len(failures) == len(PROBES) and len({result.found for result in failures}) == 1:
        return failures[0].found
    return "; ".join(f"it does not stop {PROBES[result.name]} ({result.found})" for result in failures) + "."
