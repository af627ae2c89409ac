"""Runs an untrusted source through all verification stages."""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.simulation.virtual_body import KinematicBody
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.validation.reader import SourceReader
from reachy_agent_ros.tool_generation.verdict import Verdict, VerificationStage
from reachy_agent_ros.tool_generation.verification.case import Case, CaseResult, plain_case
from reachy_agent_ros.tool_generation.verification.dry_run import DryRun, shown
from reachy_agent_ros.tool_generation.verification.proof import Proof, read_proof

LONGEST_WAIT = 60.0
"""Time that a verification waits for others, s. A model waits longer for its own, so that it learns the reason."""

_LOOK_PERIOD = 0.05


class Verifier:
    """Runs the stages "text", "syntax", "sandbox" and "trial" on a source, until a stage fails.

    Thread-safe; dry runs of several sources run consecutively.

    Args:
        sandbox: Sandbox that runs the tools.
        web: Fetcher of pages for the tools.
        moves: Folder of moves recorded on this robot; None if there is none.
        photos: Folder of photos of live runs; None for the default.
    """

    def __init__(self, sandbox: Sandbox, web: Fetcher, moves: Path | None = None, photos: Path | None = None) -> None:
        self._twin = MujocoBody(moves=moves)
        self._cases = DryRun(sandbox, KinematicBody(moves), web, photos)
        self._trials = DryRun(sandbox, self._twin, web, photos)
        self._reader = SourceReader()
        self._lock = threading.Lock()

    def prove(
        self,
        data: bytes,
        cases: Sequence[Case] = (),
        taken: Collection[str] = (),
        cancel: CancelToken | None = None,
    ) -> Proof:
        """Verifies a source.

        Args:
            data: Untrusted source.
            cases: Test cases. Without cases, the tool is called with its defaults and generated arguments.
            taken: Names of other tools.
            cancel: Token that ends the running case, which then fails, or the wait for other verifications.

        Returns:
            Verdicts with their evidence.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE` or `ROBOT_DISCONNECTED`: this machine cannot verify tools;
                `SHUTTING_DOWN`: the sandbox was closed; `TIMEOUT`: other verifications took longer than `LONGEST_WAIT`;
                `CANCELED`: canceled while waiting for other verifications.
        """
        reading = read_proof(self._reader, data, taken)
        if reading.program is None:
            return reading
        program, cancel = reading.program, cancel or CancelToken()
        with self._turn(cancel):
            proof = self._with_cases(reading, program, cases or (plain_case(program),), cancel)
            return self._with_trial(proof, program, cancel) if proof.ok else proof

    def close(self) -> None:
        """Closes the simulated robot and the reading processes. The sandbox stays open, because the caller owns it."""
        with self._lock:
            self._twin.close()
        self._reader.close()

    @contextmanager
    def _turn(self, cancel: CancelToken) -> Iterator[None]:
        latest = time.monotonic() + LONGEST_WAIT
        while not self._lock.acquire(timeout=_LOOK_PERIOD):
            cancel.raise_if_cancelled()
            if time.monotonic() > latest:
                message = f"Another tool has been in verification for {LONGEST_WAIT:g} s. Try again when it is done."
                raise AgentError(ErrorCode.TIMEOUT, message)
        try:
            yield
        finally:
            self._lock.release()

    def _with_cases(self, proof: Proof, program: Program, cases: Sequence[Case], cancel: CancelToken) -> Proof:
        """Runs the stage "sandbox": a dry run of every test case."""
        began = time.monotonic()
        results = tuple(self._cases.run(program, case, cancel) for case in cases)
        failed = [(n, result) for n, result in enumerate(results, 1) if not result.ok]
        passed = f"{len(cases)} of {len(cases)} cases passed."
        invented = "No cases were given; a call with generated arguments passed."
        reason = f"{invented if cases[0].invented else passed}{_advice(program, results)}"
        if failed:
            lines = [f"Case {n}, {shown(dict(result.case.arguments))}: {result.reason}" for n, result in failed]
            reason = "\n".join([f"{len(failed)} of {len(cases)} cases failed.", *lines])
        verdict = Verdict(VerificationStage.SANDBOX, not failed, reason, time.monotonic() - began)
        violations = tuple(dict.fromkeys(one for result in results for one in result.violations))
        return replace(proof, verdicts=(*proof.verdicts, verdict), cases=results, violations=violations)

    def _with_trial(self, proof: Proof, program: Program, cancel: CancelToken) -> Proof:
        """Runs the stage "trial": a second dry run, with simulated physics, of the test cases that move the robot."""
        began = time.monotonic()
        objections: list[str] = []
        violations = list(proof.violations)
        moving = [(n, result.case) for n, result in enumerate(proof.cases, 1) if result.commands or result.violations]
        for n, case in moving:
            # The result is not compared, because measured values are not exact.
            result = self._trials.run(program, replace(case, expect=None), cancel)
            violations += result.violations
            told = "\n".join(result.violations)  # the simulated robot repeats some of them
            found = [result.reason, *result.violations, *(one for one in self._twin.objections() if one not in told)]
            objections += [f"Case {n}: {one}" for one in found if one]
        reason = "No case moves the robot."
        if moving:
            reason = f"{len(moving)} of {len(proof.cases)} cases move the robot, within its envelope."
        reason = "\n".join(objections) or reason
        verdict = Verdict(VerificationStage.TRIAL, not objections, reason, time.monotonic() - began)
        return replace(proof, verdicts=(*proof.verdicts, verdict), violations=tuple(dict.fromkeys(violations)))


def _advice(program: Program, results: Sequence[CaseResult]) -> str:
    limit = program.limits.time
    longest = max(result.took for result in results)
    if longest <= limit:
        return ""
    return f" With its defaults it takes {longest:.0f} s, but would be stopped after {limit:g} s: set TIME_LIMIT_S."
