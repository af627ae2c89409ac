"""Where tools are made, proven and reviewed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from reachy_agent_ros.agent.permissions.principal import Principal


@dataclass(frozen=True)
class ToolTest:
    """One test of a tool.

    Attributes:
        args: By name.
        expect: What the result has at least; None: anything.
        raises: Exception that must come instead; empty: none may.
    """

    args: Mapping[str, Any]
    expect: Any = None
    raises: str = ""


@dataclass(frozen=True)
class GeneratedSource:
    """Code that shall become a tool.

    Attributes:
        code: Python.
        cases: Tests that it must pass.
        explanation: What it is for.
        request: What was asked for, in words.
        author: Who wrote it.
        asked_by: Token that it was asked for with, empty if none.
    """

    code: str
    cases: Sequence[ToolTest]
    explanation: str = ""
    request: str = ""
    author: str = ""
    asked_by: str = ""


@dataclass(frozen=True)
class StageReport:
    """What one stage of proving found.

    Attributes:
        stage: "text", "syntax", "sandbox", "trial" or "review".
        ok: Whether it passed.
        reason: Why not.
        duration: s.
    """

    stage: str
    ok: bool
    reason: str
    duration: float


@dataclass(frozen=True)
class ToolTestOutcome:
    """How one test went.

    Attributes:
        ok: Whether it passed.
        result: What came back, JSON values; None after an error.
        error: One sentence, empty without an error.
        duration: s.
    """

    ok: bool
    result: Any
    error: str
    duration: float


@dataclass(frozen=True)
class VerificationReport:
    """What proving found.

    Attributes:
        passed: Whether every stage passed.
        verdicts: In order.
        results: One a case, in order.
        robot_commands: That the robot would have been given.
        violations: One sentence each.
    """

    passed: bool
    verdicts: Sequence[StageReport]
    results: Sequence[ToolTestOutcome] = ()
    robot_commands: int = 0
    violations: Sequence[str] = ()


@dataclass(frozen=True)
class GenerationResult:
    """What came of a source.

    Attributes:
        name: Of the tool, empty where the source names none.
        version: 0 where it was not registered.
        waiting: Whether a person has to approve it.
        code: The source.
        proof: What was found.
    """

    name: str
    version: int
    waiting: bool
    code: str
    proof: VerificationReport


@dataclass(frozen=True)
class ToolVersion:
    """One version of a generated tool.

    Attributes:
        version: Counts up from 1.
        state: "waiting", "approved" or "rejected".
        active: Whether this one runs.
        digest: SHA-256 of the source.
        author: Who wrote it.
        request: What was asked for.
        explanation: What it is for, in the author's words.
        asked_by: Token that it was asked for with, empty if none.
        comment: Of the person who reviewed it.
        decided_by: Who reviewed it, and in which way; empty if nobody did.
        needs: What of the world it names: "body", "eyes", "voice", "web".
        created: s since the epoch.
        time_limit: Of one run, s.
        memory_limit: Of one run, B.
        verdicts: One a stage.
        cases: Tests that it passed.
        runs: Since it was registered.
        successes: Of these.
        failures: Latest error messages, the newest last.
    """

    version: int
    state: str
    active: bool
    digest: str
    author: str
    request: str
    explanation: str
    asked_by: str
    comment: str
    decided_by: str
    needs: Sequence[str]
    created: float
    time_limit: float
    memory_limit: int
    verdicts: Sequence[StageReport]
    cases: Sequence[ToolTest]
    runs: int
    successes: int
    failures: Sequence[str]


@dataclass(frozen=True)
class GeneratedTool:
    """All that is known of a generated tool.

    Attributes:
        name: Of it.
        code: Of `version`.
        version: Whose source it is.
        enabled: Whether it may be called.
        reason: Why not.
        versions: Oldest first.
    """

    name: str
    code: str
    version: int
    enabled: bool
    reason: str
    versions: Sequence[ToolVersion]


class WorkshopService(Protocol):
    """Makes and keeps tools. All raise `AgentError`."""

    async def check(self, source: GeneratedSource) -> VerificationReport:
        """Proves a source and keeps nothing.

        Args:
            source: What to prove.
        """
        ...

    async def register(self, source: GeneratedSource) -> GenerationResult:
        """Proves a source and puts the tool in the catalogue, or in the queue for review."""
        ...

    async def write(self, description: str, cases: Sequence[ToolTest], asked_by: Principal) -> GenerationResult:
        """Has the agent write a tool, which takes a model; cancelling this ends the turn.

        Args:
            description: What it shall do.
            cases: Tests that it must pass.
            asked_by: Who asks for it.

        Raises:
            AgentError: `VALIDATION_FAILED`: it made no tool of it; and what a conversation raises.
        """
        ...

    async def tool(self, name: str, version: int) -> GeneratedTool:
        """A generated tool, with the source of a version; 0: the one that runs, or the newest."""
        ...

    async def review(self, name: str, version: int, approve: bool, comment: str, decided_by: Principal) -> None:
        """Decides about a version that waits.

        Args:
            name: The tool's.
            version: That waits.
            approve: Yes or no.
            comment: The person's own words.
            decided_by: Who decides.

        Raises:
            AgentError: `DECISION_NOT_ALLOWED`: it may not decide.
        """
        ...

    async def enable(self, name: str, enabled: bool) -> None:
        """Lets any tool be called, or not."""
        ...

    async def roll_back(self, name: str, version: int) -> int:
        """Makes an earlier version run. Returns the one that ran until now."""
        ...

    async def delete(self, name: str) -> None:
        """Forgets a generated tool."""
        ...
