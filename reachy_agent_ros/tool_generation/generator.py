"""Tool generator: verifies, registers and offers generated tools, and requests human reviews."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.generated_tool import CatalogueSynchroniser, Workplace
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tool_generation.registry.manifest import Disabling
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.version import IMPORT, CaseRecord, VersionRecord, VersionState
from reachy_agent_ros.tool_generation.sandbox.backend import SandboxTier
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tool_generation.validation.reader import SourceReader
from reachy_agent_ros.tool_generation.verdict import Verdict
from reachy_agent_ros.tool_generation.verification.case import Case
from reachy_agent_ros.tool_generation.verification.proof import Proof, read_proof, repair_text
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.protocol.tools import ToolOrigin

if TYPE_CHECKING:
    from reachy_agent_ros.tool_generation.verification.verifier import Verifier


@dataclass(frozen=True)
class Submission:
    """Tool that is submitted for verification and registration.

    Attributes:
        source: Source as bytes, which may not be valid Python.
        cases: Test cases.
        author: Author, as in `VersionRecord`. The tools of `IMPORT` always need a person's approval.
        request: Request in plain words.
        explanation: Purpose of the tool according to its author.
        asked_by: Token with which the request was made; empty if none.
    """

    source: bytes
    cases: tuple[Case, ...] = ()
    author: str = ""
    request: str = ""
    explanation: str = ""
    asked_by: str = ""


class ReviewPolicy(StrEnum):
    """Determines which generated tools a person must review.

    Imported tools, and all tools in the sandbox of the tier Landlock, are always reviewed.
    """

    NEVER = "never"
    """No tools: the verification is enough."""
    ACTING = "acting"
    """Tools that move the robot or read its pose, speak, or request web pages."""
    ALWAYS = "always"
    """All tools."""


def needs_review(program: Program, review: ReviewPolicy, tier: SandboxTier) -> bool:
    """Returns whether a person must review a program.

    In the weaker sandbox (Landlock), every program must be reviewed.
    """
    if review is ReviewPolicy.ALWAYS or tier is SandboxTier.LANDLOCK:
        return True
    return review is ReviewPolicy.ACTING and bool(program.needs & {Need.BODY, Need.VOICE, Need.WEB})


@dataclass(frozen=True)
class Registration:
    """Result of submitting a tool: its proof, and its version if all stages were passed.

    Attributes:
        proof: Verdicts and their evidence.
        version: Version of the tool; 0 if a stage failed and it was not registered.
        waiting: Whether a person must approve the version before it runs.
        source: Submitted source as text; empty if the version was registered.
    """

    proof: Proof
    version: int = 0
    waiting: bool = False
    source: str = ""

    @property
    def name(self) -> str:
        """Name of the tool. It is empty if the source could not be read."""
        return "" if self.proof.program is None else self.proof.program.name

    def require(self) -> str:
        """Describes the result in a sentence.

        Raises:
            AgentError: `VALIDATION_FAILED`: a stage failed. The message lets a model or a person repair the tool.
        """
        if not self.version:
            raise AgentError(ErrorCode.VALIDATION_FAILED, repair_text(self.proof, self.source))
        state = "waits for a person's review" if self.waiting else "is registered"
        return f"Version {self.version} of {self.name} {state}."


@dataclass(frozen=True)
class _Open:
    """Services that are available only after a sandbox has been verified."""

    sandbox: Sandbox
    prover: Verifier
    synchroniser: CatalogueSynchroniser


class ToolGenerator:
    """Verifies, registers and offers generated tools. Thread-safe.

    No tool runs until `open` has verified a sandbox.

    Args:
        registry: Registry that stores the tools.
        catalogue: Live catalog in which the tools appear.
        equipment: Resources of the tools, other than the robot's body.
        review: Tools that a person must review before they run.
        moves: Folder of recorded moves for dry runs. The robot itself knows its own folder.

    Attributes:
        registry: Registry that stores the tools.
        unavailable: Reason why no generated tool can run; None if they can run.
    """

    def __init__(
        self,
        registry: Registry,
        catalogue: ToolCatalogue,
        equipment: Equipment,
        review: ReviewPolicy,
        moves: Path | None = None,
    ) -> None:
        self.registry = registry
        self.unavailable: AgentError | None = AgentError(
            ErrorCode.SANDBOX_UNAVAILABLE, "The sandbox is being verified."
        )
        self._catalogue = catalogue
        self._equipment = equipment
        self._review = review
        self._moves = moves
        self._open: _Open | None = None
        self._opening = threading.Lock()
        self._closing = CancelToken()

    @property
    def sandbox(self) -> Sandbox | None:
        """Sandbox of the tools, or None before it has been verified and after `close`."""
        return None if self._open is None else self._open.sandbox

    def open(self) -> None:
        """Verifies a sandbox, so that `refresh` offers the registered tools. The first verification takes seconds.

        If no sandbox can be verified, sets `unavailable` to the reason, which methods that need a sandbox raise.
        """
        with self._opening:
            if self._closing.cancelled or self._open is not None:
                return
            # Imports MuJoCo and ONNX Runtime, which takes half a second.
            from reachy_agent_ros.tool_generation.verification.verifier import Verifier

            try:
                sandbox = open_sandbox()
            except AgentError as error:
                self.unavailable = error
                return
            workplace = Workplace(self.registry, sandbox, self._broker)
            synchroniser = CatalogueSynchroniser(self._catalogue, workplace)
            prover = Verifier(sandbox, self._equipment.web, self._moves, self._equipment.photos)
            self._open = _Open(sandbox, prover, synchroniser)
            self.unavailable = None

    def refresh(self) -> list[str]:
        """Updates the catalog from the registry. Returns quickly if nothing has changed.

        Returns:
            Messages about tools that could not be offered, each only once.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return [] if self._open is None else self._open.synchroniser.refresh()

    def validate(self, source: bytes) -> tuple[Verdict, ...]:
        """Validates a source without running it.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`: the process that reads the source cannot be started.
        """
        with SourceReader() as reader:
            return read_proof(reader, source, self.taken()).verdicts

    def prove(self, source: bytes, cases: Sequence[Case] = ()) -> Proof:
        """Verifies a source, but does not store it.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`, `SHUTTING_DOWN`, or an error of `Verifier.prove`.
        """
        return self._proven(source, cases, self._closing)

    def submit(self, submission: Submission, cancel: CancelToken | None = None) -> Registration:
        """Verifies a tool and registers it if it passes.

        The tool is offered immediately, unless a person must review it first.

        Args:
            submission: Tool to verify.
            cancel: Token that ends the verification, in which case nothing is registered.

        Raises:
            AgentError: `SANDBOX_UNAVAILABLE`, `SHUTTING_DOWN`, `CANCELED`, `STORAGE_FAILED`, or an error of
                `Verifier.prove`; `VALIDATION_FAILED` if another tool has this name or a similar one.
        """
        opened = self._require_open()
        proof = self._proven(submission.source, submission.cases, cancel or self._closing)
        if proof.program is None or not proof.ok:
            return Registration(proof, source=submission.source.decode(errors="replace"))
        waiting = submission.author == IMPORT or needs_review(proof.program, self._review, opened.sandbox.tier)
        record = VersionRecord(
            author=submission.author,
            request=submission.request,
            explanation=submission.explanation,
            verdicts=proof.verdicts,
            cases=tuple(map(CaseRecord.of, proof.cases)),
            needs_review=waiting,
            asked_by=submission.asked_by,
        )
        version = self.registry.register(proof.program, record)
        self.refresh()
        return Registration(proof, version, waiting)

    def waiting(self) -> list[str]:
        """Returns the names of the tools that have a version that waits for review.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return [one.name for one in self.registry.list() if any(v.state is VersionState.WAITING for v in one.versions)]

    def taken(self) -> list[str]:
        """Returns the names of all tools that are not generated."""
        specifications = [entry.tool.specification for entry in self._catalogue.entries()]
        return [one.name for one in specifications if one.origin is not ToolOrigin.GENERATED]

    def disabled(self) -> dict[str, Disabling]:
        """Returns the generated tools that are disabled, and the reason for each tool.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return {one.name: one.disabled for one in self.registry.list() if one.disabled is not None}

    def close(self) -> None:
        """Cancels a running verification, waits for its end, and closes the sandbox.

        A verification for which `submit` received a token is not canceled.
        """
        self._closing.cancel()
        with self._opening:
            opened, self._open = self._open, None
            self.unavailable = AgentError(ErrorCode.SHUTTING_DOWN, "The tool generator is shutting down.")
            if opened is not None:
                opened.prover.close()
                opened.sandbox.close()

    def _proven(self, source: bytes, cases: Sequence[Case], cancel: CancelToken) -> Proof:
        proof = self._require_open().prover.prove(source, cases, self.taken(), cancel)
        cancel.raise_if_cancelled()
        return proof

    def _broker(self, program: Program, context: ToolContext) -> Broker:
        equipment = replace(self._equipment, time_limit=program.limits.time)
        return Broker(context.body, context, equipment, program.needs)

    def _require_open(self) -> _Open:
        if self._open is None:
            raise self.unavailable or AgentError(ErrorCode.SHUTTING_DOWN, "The tool generator is shutting down.")
        return self._open
