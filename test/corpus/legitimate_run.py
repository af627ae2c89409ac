"""Proves the tools of `legitimate_tools/`, which owners and models would write, and says what was wrongly refused.

Each has cases of its own, in `NAME.cases.json`: a list of `{"args", "expect"}` or `{"args", "raises"}`.
"""

from __future__ import annotations

import multiprocessing
import os
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.toolsmith.broker.fetcher import Fetcher
from reachy_agent_ros.toolsmith.proving.case import read_cases
from reachy_agent_ros.toolsmith.proving.prover import Prover
from reachy_agent_ros.toolsmith.sandbox.opening import open_sandbox
from reachy_agent_ros.toolsmith.verdict import Stage

FOLDER = Path(__file__).with_name("legitimate_tools")

SITES = ("api.open-meteo.com", "wttr.in")
"""What the tools may fetch; nothing answers, because a rehearsal may not depend on the weather."""


@dataclass(frozen=True)
class Outcome:
    """What came of one tool.

    Attributes:
        tool: Its name.
        accepted: Whether text gate and validator took it.
        right: Whether every case went as it should, and the twin stayed within the envelope.
        reason: What the stage said that it failed.
        duration: s of the whole check.
    """

    tool: str
    accepted: bool
    right: bool
    reason: str
    duration: float


def legitimate_tools() -> list[str]:
    """Names of all."""
    return sorted(source.stem for source in FOLDER.glob("*.py"))


def run_all(tools: Sequence[str] | None = None, processes: int | None = None) -> list[Outcome]:
    """Outcomes of the tools, all of them by default, by as many processes as there are cores."""
    chosen = legitimate_tools() if tools is None else tools
    workers = processes or os.cpu_count() or 1
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        parts = pool.map(_run_part, [chosen[start::workers] for start in range(workers)])
        return sorted((one for part in parts for one in part), key=lambda one: one.tool)


def _run_part(tools: Sequence[str]) -> list[Outcome]:
    sandbox = open_sandbox()
    prover = Prover(sandbox, Fetcher(SITES, _unreachable))
    try:
        prover.warm()
        return [_outcome(prover, tool) for tool in tools]
    finally:
        prover.close()
        sandbox.close()


def _outcome(prover: Prover, tool: str) -> Outcome:
    cases = read_cases((FOLDER / f"{tool}.cases.json").read_text(encoding="utf-8"))
    began = time.perf_counter()
    proof = prover.prove((FOLDER / f"{tool}.py").read_bytes(), cases)
    duration = time.perf_counter() - began
    failed = next((verdict for verdict in proof.verdicts if not verdict.ok), None)
    accepted = failed is None or failed.stage not in (Stage.TEXT, Stage.SYNTAX)
    return Outcome(tool, accepted, proof.ok, f"{failed.stage}: {failed.reason}" if failed else "", duration)


def _unreachable(host: str, _port: int, _deadline: Deadline) -> list[str]:
    raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{host} cannot be found")


def _main() -> None:
    outcomes = run_all()
    for one in outcomes:
        if not one.right:
            print(f"{one.tool}: {one.reason}")
    by_duration = sorted(outcomes, key=lambda one: one.duration)
    accepted, right = (sum(flags) for flags in zip(*((one.accepted, one.right) for one in outcomes), strict=True))
    print(f"{len(outcomes)} tools, {accepted} accepted, {right} right")
    print(f"whole check: median {by_duration[len(by_duration) // 2].duration:.2f} s")
    print(f"longest: {', '.join(f'{one.tool} {one.duration:.1f} s' for one in by_duration[-5:])}")


if __name__ == "__main__":
    _main()
