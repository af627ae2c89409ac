"""Runs hostile tools with and without the validator, and reports forbidden effects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from corpus.canaries import Canaries
from corpus.hostile_tools import HostileTool
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.simulation.mujoco_body import MujocoBody
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.verdict import VerificationStage
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tool_generation.verification.dry_run import DryRun
from reachy_agent_ros.tool_generation.verification.verifier import Verifier
from reachy_agent_ros.tools.predefined import predefined_tools

PUBLIC_SITE = "api.open-meteo.com"
"""A site that tools may request; the hostile name server in these tests resolves it to this machine."""

LONGEST_TEXT = 32768
"""Maximum characters of an error or a log. More would flood the reader."""

TAKEN = tuple(tool.specification.name for tool in predefined_tools(Path(), ("happy",), ("twist",)))
"""Names that no tool may have or imitate."""

_LONGEST_RUN = 60.0
"""Timeout of every run, s. The longest limit of a tool is 10 s."""

_OUT_OF_TIME = "Stopped after its time limit"


@dataclass(frozen=True)
class HostileOutcome:
    """Result of running a hostile tool.

    Attributes:
        effects: Effects outside of the sandbox, during verification and with the validator switched off.
        commands: Commands beyond the envelope, or jumps, that reached the simulated robot.
        refused_by: Verification stage that rejected it; None if it was accepted.
        reason: Reason of that stage.
        is_out_of_time: Whether that stage stopped it after a timeout, as can happen on a busy machine.
        succeeded: Whether its case passed with the validator switched off.
    """

    effects: tuple[str, ...]
    commands: int
    refused_by: VerificationStage | None
    reason: str
    is_out_of_time: bool
    succeeded: bool


class HostileGround:
    """Test environment that runs hostile tools one after another.

    It consists of canaries, a sandbox and two simulated robots.
    """

    def __init__(self) -> None:
        self._open()

    def close(self) -> None:
        """Releases all resources."""
        self._prover.close()
        self._twin.close()
        self._sandbox.close()
        self._canaries.close()

    def outcome(self, tool: HostileTool) -> HostileOutcome:
        """Verifies a tool, then runs it without the validator."""
        data = tool.data(self._canaries.words)
        case = Case({}, tool.expect)
        proof = self._prover.prove(data, [case], TAKEN)
        refusal = next((verdict for verdict in proof.verdicts if not verdict.ok), None)
        effects = self._effects("proof", repr(proof.cases))
        for _ in range(tool.runs):
            program = Program(data.decode(errors="replace"), tool.function, "", (), tool.limits)
            result = self._unvalidated.run(program, case, CancelToken())
            effects += self._effects("sandbox", repr((result.result, result.log, result.reason, self._twin.spoken)))
            effects += ["sandbox: outlived its limit"] * (result.elapsed > _LONGEST_RUN)
            effects += ["sandbox: too long a text"] * (max(len(result.log), len(result.reason)) > LONGEST_TEXT)
        commands = self._twin.watch.violations + self._twin.watch.jumps
        if effects:  # new canaries, so that these effects are not attributed to the next tool
            self.close()
            self._open()
        stage, reason = (refusal.stage, refusal.reason) if refusal else (None, "")
        return HostileOutcome(tuple(effects), commands, stage, reason, _OUT_OF_TIME in reason, result.ok)

    def _open(self) -> None:
        self._canaries = Canaries()
        allowed = f"127.0.0.1:{self._canaries.servers.allowed}"
        web = Fetcher((PUBLIC_SITE, allowed), _misled)
        self._sandbox = open_sandbox(spares=0)  # a spare process would load libraries that few of the tools need
        self._prover = Verifier(self._sandbox, web)
        self._twin = MujocoBody()
        self._unvalidated = DryRun(self._sandbox, self._twin, web)

    def _effects(self, way: str, output: str) -> list[str]:
        return [f"{way}: {effect}" for effect in self._canaries.effects(output)]


def _misled(_host: str, _port: int, _deadline: Deadline) -> list[str]:
    return ["127.0.0.1"]
