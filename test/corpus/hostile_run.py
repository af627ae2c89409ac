"""Runs hostile sources in every way that they could be run here, and says what they did that none may do."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Self

import psutil

from corpus.canaries import Canaries
from corpus.hostile_source import HostileSource, hostile_sources
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.toolsmith.broker.fetcher import Fetcher
from reachy_agent_ros.toolsmith.program import Program
from reachy_agent_ros.toolsmith.proving.case import Case
from reachy_agent_ros.toolsmith.proving.prover import Prover
from reachy_agent_ros.toolsmith.proving.rehearsal import Rehearsal
from reachy_agent_ros.toolsmith.sandbox.opening import open_sandbox
from reachy_agent_ros.toolsmith.twin.twin_body import TwinBody
from reachy_agent_ros.toolsmith.verdict import Stage

PUBLIC_SITE = "api.open-meteo.com"
"""A site that tools may ask, by a name that a hostile name server leads to this machine."""

LONGEST_TEXT = 32768
"""Characters of an error or a log; more would drown whoever reads it."""

TAKEN = tuple(tool.specification.name for tool in predefined_tools(Path(), ("happy",), ("twist",)))
"""Names that no tool may have or imitate."""

_OUTLIVED = 60.0
"""s after which no run may still go on; the longest limit of a source is 10 s."""


@dataclass(frozen=True)
class Outcome:
    """What came of one source.

    Attributes:
        source: Its name.
        effects: What it did outside the box, through the whole proof and with the validator switched off.
        commands: Commands outside the envelope, or jumps, that reached the simulated robot.
        passed: Whether it passed though it should not have, in either way.
        stopped: Stage of the proof that it failed, None where it passed.
        reason: What that stage said.
    """

    source: str
    effects: tuple[str, ...]
    commands: int
    passed: bool
    stopped: Stage | None
    reason: str


class Range:
    """Canaries, a sandbox and two simulated robots. Runs sources one by one; a context manager."""

    def __init__(self) -> None:
        self._canaries = Canaries()
        allowed = f"127.0.0.1:{self._canaries.servers.allowed}"
        web = Fetcher((PUBLIC_SITE, allowed), _misled)
        self._sandbox = open_sandbox(spares=1)
        self._prover = Prover(self._sandbox, web)
        self._twin = TwinBody()
        self._box_alone = Rehearsal(self._sandbox, self._twin, web)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._prover.close()
        self._twin.close()
        self._sandbox.close()
        self._canaries.close()

    def outcome(self, source: HostileSource) -> Outcome:
        """Proves a source, then runs it as if there were no validator."""
        data = source.filled(self._canaries.words)
        case = Case({}, source.expect)
        proof = self._prover.prove(data, [case], TAKEN)
        stopped = next((verdict for verdict in proof.verdicts if not verdict.ok), None)
        effects = self._effects("proof", repr(proof.cases))
        for _ in range(1 + ("twice" in source.marks)):
            program = Program(data.decode(errors="replace"), source.function, "", (), source.limits)
            result = self._box_alone.run(program, case, CancelToken())
            effects += self._effects("box", repr((result.result, result.log, result.reason, self._twin.spoken)))
            effects += ["outlived its limit"] * (result.elapsed > _OUTLIVED)
            effects += ["told too much"] * (max(len(result.log), len(result.reason)) > LONGEST_TEXT)
        commands = self._twin.watch.violations + self._twin.watch.jumps
        lied = result.ok and ("must fail" in source.marks or source.kind == "fake") and "contained" not in source.marks
        passed = (proof.ok and "contained" not in source.marks) or lied
        stage, reason = (stopped.stage, stopped.reason) if stopped else (None, "")
        return Outcome(source.name, tuple(effects), commands, passed, stage, reason)

    def _effects(self, way: str, told: str) -> list[str]:
        return [f"{way}: {effect}" for effect in self._canaries.effects(told)]


def run_all(sources: Sequence[HostileSource] | None = None, processes: int | None = None) -> list[Outcome]:
    """Outcomes of the sources, all of them by default, by as many processes as there are cores.

    Each process has canaries and a sandbox of its own: what one source does is not laid to another's charge.
    """
    chosen = hostile_sources() if sources is None else sources
    workers = processes or os.cpu_count() or 1
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        parts = pool.map(_run_part, [chosen[start::workers] for start in range(workers)])
        return sorted((one for part in parts for one in part), key=lambda one: one.source)


def left_over() -> list[str]:
    """Processes of boxes that outlived them, zombies included: children of this process that should be none."""
    return [f"{one.pid} {one.status()}" for one in psutil.Process().children(recursive=True) if "bwrap" in one.name()]


def _run_part(sources: Iterable[HostileSource]) -> list[Outcome]:
    with Range() as ground:
        outcomes = [ground.outcome(source) for source in sources]
    if remains := left_over():
        outcomes.append(Outcome("all", (f"processes are left: {remains}",), 0, False, None, ""))
    return outcomes


def _misled(_host: str, _port: int, _deadline: Deadline) -> list[str]:
    return ["127.0.0.1"]
