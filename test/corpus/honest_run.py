"""Verification of honest tools."""

from __future__ import annotations

from dataclasses import dataclass

from corpus.honest_tools import HonestTool
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.verdict import VerificationStage
from reachy_agent_ros.tool_generation.verification.case import read_cases
from reachy_agent_ros.tool_generation.verification.verifier import Verifier

SITES = ("api.open-meteo.com", "wttr.in")
"""Sites that the tools may request. Nothing responds, because a dry run must not depend on the weather."""


@dataclass(frozen=True)
class HonestOutcome:
    """Result of verifying an honest tool.

    Attributes:
        refused_by: Verification stage that rejected it; None if it was accepted.
        reason: Reason of that stage.
        cases: Number of passed cases.
    """

    refused_by: VerificationStage | None
    reason: str
    cases: int


class HonestGround:
    """Test environment that verifies honest tools one after another, with a sandbox and a simulated robot."""

    def __init__(self) -> None:
        self._sandbox = open_sandbox(spares=0)
        self._prover = Verifier(self._sandbox, Fetcher(SITES, _unreachable))

    def close(self) -> None:
        """Releases all resources."""
        self._prover.close()
        self._sandbox.close()

    def outcome(self, tool: HonestTool) -> HonestOutcome:
        """Verifies a tool with its test cases."""
        proof = self._prover.prove(tool.source.encode(), read_cases(tool.cases))
        refusal = next((verdict for verdict in proof.verdicts if not verdict.ok), None)
        stage, reason = (refusal.stage, refusal.reason) if refusal else (None, "")
        return HonestOutcome(stage, reason, sum(result.ok for result in proof.cases))


def _unreachable(host: str, _port: int, _deadline: Deadline) -> list[str]:
    raise AgentError(ErrorCode.SERVER_UNAVAILABLE, f"{host} cannot be found")
