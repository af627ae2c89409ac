"""Making tools: generating, checking, reviewing, enabling and rolling back their versions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator

from reachy_agent_ros.gateway.access.authentication import decides
from reachy_agent_ros.gateway.callers import Caller, Role, requires
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.ports.workshop import GeneratedSource, GenerationResult, ToolTest, VerificationReport
from reachy_agent_ros.gateway.request_handling import StrictRoute, unless_hung_up

making_router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

MAX_CODE = 200_000
"""Characters of a source; the validator's own limit is lower."""

MAX_CASES = 20
MAX_TEXT = 4_000

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Code = Annotated[str, Field(min_length=1, max_length=MAX_CODE, description="Python source of one tool.")]
Text = Annotated[str, Field(max_length=MAX_TEXT)]


class CaseModel(BaseModel):
    """One test of a tool."""

    # An answer leaves nothing out, and the OpenAPI document says so.
    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)

    args: dict[str, Any] = Field(default_factory=dict, description="Arguments by name.")
    expect: Any = Field(None, description="What the result has at least; null: anything that is no error.")
    raises: str = Field("", max_length=100, description="Exception that must come instead; empty: none may.")


Cases = Annotated[list[CaseModel], Field(max_length=MAX_CASES, description="Tests that it must pass.")]


class VerdictModel(BaseModel):
    """What one stage of proving found."""

    model_config = ConfigDict(from_attributes=True)

    stage: str = Field(description="`text`, `syntax`, `sandbox`, `trial` or `review`.")
    ok: bool
    reason: str = Field(description="Why not, with line numbers.")
    duration: float = Field(description="Seconds.")


class CaseResultModel(BaseModel):
    """How one test went."""

    model_config = ConfigDict(from_attributes=True)

    ok: bool
    result: Any = Field(description="What the tool returned; null after an error.")
    error: str = Field(description="One sentence; empty without an error.")
    duration: float = Field(description="Seconds.")


class ValidationResult(BaseModel):
    """What reading and proving found."""

    ok: bool = Field(description="Whether every stage passed.")
    verdicts: list[VerdictModel] = Field(description="One a stage, in order.")


class TestResults(BaseModel):
    """How the tests went."""

    passed: int
    failed: int
    results: list[CaseResultModel] = Field(description="One a test, in order.")


class CheckRequest(BaseModel):
    """Code to prove."""

    code: Code
    test_cases: Cases = Field(default_factory=list)


class CheckAnswer(BaseModel):
    """What proving found; nothing was kept."""

    validation_result: ValidationResult
    test_results: TestResults
    robot_commands: int = Field(description="That the robot would have been given.")
    violations: list[str] = Field(description="Of the rules for such commands, one sentence each.")


class GenerateRequest(BaseModel):
    """A request to write a tool."""

    description: Text = Field("", description="What it shall do; a model writes it where no code is given.")
    test_cases: Cases = Field(default_factory=list)
    code: str = Field("", max_length=MAX_CODE, description="Written by a person, so that no model is needed.")
    explanation: Text = Field("", description="What a person's code is for; empty: the description.")

    @model_validator(mode="after")
    def _says_something(self) -> GenerateRequest:
        if not self.description.strip() and not self.code.strip():
            raise ValueError("either a description or code is needed")
        return self


class GenerateAnswer(BaseModel):
    """The tool that came of it."""

    tool_name: str = Field(description="Empty where the code names none.")
    version: int = Field(description="0 where it was not kept, because it failed.")
    registered: bool = Field(description="Whether it can be called now.")
    waiting: bool = Field(description="Whether a person has to review it first.")
    code: str
    validation_result: ValidationResult
    test_results: TestResults


@making_router.post("/generate")
async def generate(
    asked: GenerateRequest,
    request: Request,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(requires(Role.ADMINISTRATOR))],
) -> GenerateAnswer:
    """Makes a tool, of a description by a model or of a person's code, and keeps it if it passes.

    A description is handed to the agent as a turn of conversation; without a model that is answered with 503, and
    with 422 if it makes no tool of it. Code that fails is no problem: the answer says what failed, with version 0.
    Whoever hangs up ends the turn.
    """
    cases = _cases(asked.test_cases)
    if asked.code.strip():
        explanation = asked.explanation or asked.description
        source = GeneratedSource(asked.code, cases, explanation, asked.description, caller.name, caller.principal.token)
        work = gateway.workshop.register(source)
    else:
        work = gateway.workshop.write(asked.description, cases, caller.principal)
    return _made(await unless_hung_up(request, work))


@making_router.post("/check", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def check(asked: CheckRequest, gateway: TheGateway) -> CheckAnswer:
    """Reads code, runs it in the sandbox with its tests and on a simulated twin, and keeps nothing."""
    proof = await gateway.workshop.check(GeneratedSource(asked.code, _cases(asked.test_cases)))
    return CheckAnswer(
        validation_result=_validation(proof),
        test_results=_results(proof),
        robot_commands=proof.robot_commands,
        violations=list(proof.violations),
    )


def _cases(given: Sequence[CaseModel]) -> list[ToolTest]:
    return [ToolTest(one.args, one.expect, one.raises) for one in given]


def _made(made: GenerationResult) -> GenerateAnswer:
    return GenerateAnswer(
        tool_name=made.name,
        version=made.version,
        registered=bool(made.version) and not made.waiting,
        waiting=made.waiting,
        code=made.code,
        validation_result=_validation(made.proof),
        test_results=_results(made.proof),
    )


def _validation(proof: VerificationReport) -> ValidationResult:
    return ValidationResult(ok=proof.passed, verdicts=[VerdictModel.model_validate(one) for one in proof.verdicts])


def _results(proof: VerificationReport) -> TestResults:
    passed = sum(one.ok for one in proof.results)
    return TestResults(
        passed=passed,
        failed=len(proof.results) - passed,
        results=[CaseResultModel.model_validate(one) for one in proof.results],
    )


versions_router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

MAX_VERSION = 2**32 - 1

Name = Annotated[str, Path(min_length=1, max_length=100, description="Of the tool.")]
Version = Annotated[int, Field(ge=1, le=MAX_VERSION, description="One that the tool has.")]

_OBSERVER = [Depends(requires(Role.OBSERVER))]
_ADMINISTRATOR = [Depends(requires(Role.ADMINISTRATOR))]


class ToolVersionModel(BaseModel):
    """One version of a generated tool."""

    model_config = ConfigDict(from_attributes=True)

    version: int
    state: Literal["waiting", "approved", "rejected"]
    active: bool = Field(description="Whether this one runs.")
    digest: str = Field(description="SHA-256 of the source.")
    author: str
    request: str = Field(description="What was asked for, in words.")
    explanation: str = Field(description="In the author's words.")
    asked_by: str = Field(description="Token that it was asked for with, `token:NAME#MARK`; empty if none.")
    comment: str = Field(description="Of the person who reviewed it.")
    decided_by: str = Field(description="Who reviewed it, and in which way; empty if nobody did.")
    needs: list[str] = Field(description="What of the world it names: `body`, `eyes`, `voice`, `web`.")
    created: float = Field(description="Seconds since the epoch.")
    time_limit: float = Field(description="Of one run, seconds.")
    memory_limit: int = Field(description="Of one run, bytes.")
    verdicts: list[VerdictModel]
    cases: list[CaseModel] = Field(description="Tests that it passed.")
    runs: int = Field(description="Since it was registered.")
    successes: int = Field(description="Of these.")
    failures: list[str] = Field(description="Latest error messages, the newest last.")


class GeneratedToolAnswer(BaseModel):
    """All that is known of a generated tool."""

    model_config = ConfigDict(from_attributes=True)

    name: str
    code: str = Field(description="Of `version`.")
    version: int
    enabled: bool = Field(description="Whether it may be called.")
    reason: str = Field(description="Why not; empty if it may.")
    versions: list[ToolVersionModel] = Field(description="Oldest first.")


class ToolReviewRequest(BaseModel):
    """A person's decision about a version that waits."""

    version: Version
    approve: bool
    comment: Text = Field("", description="Kept with the decision.")


class EnableRequest(BaseModel):
    """Whether a tool may be called."""

    enabled: bool


class RollBackRequest(BaseModel):
    """Which version shall run."""

    version: Version


class RollBackAnswer(BaseModel):
    """What changed."""

    version: int = Field(description="Runs now.")
    previous_version: int = Field(description="Ran until now.")


@versions_router.get("/{name}", dependencies=_OBSERVER)
async def tool(
    name: Name,
    gateway: TheGateway,
    version: Annotated[int, Query(ge=0, le=MAX_VERSION, description="Whose code; 0: the one that runs.")] = 0,
) -> GeneratedToolAnswer:
    """A generated tool: its code, versions, verdicts and tests."""
    found = await gateway.workshop.tool(name, version)
    return GeneratedToolAnswer.model_validate(asdict(found))


@versions_router.post("/{name}/review", status_code=204)
async def review(
    name: Name,
    asked: ToolReviewRequest,
    gateway: TheGateway,
    caller: Annotated[Caller, Depends(decides(Role.ADMINISTRATOR))],
) -> None:
    """Approves or rejects a version that waits; 403 for a yes to what was asked for with the same token."""
    await gateway.workshop.review(name, asked.version, asked.approve, asked.comment, caller.principal)


@versions_router.post("/{name}/enable", dependencies=_ADMINISTRATOR, status_code=204)
async def enable(name: Name, asked: EnableRequest, gateway: TheGateway) -> None:
    """Lets a tool be called, or not; also one that came with the robot."""
    await gateway.workshop.enable(name, asked.enabled)


@versions_router.post("/{name}/rollback", dependencies=_ADMINISTRATOR)
async def roll_back(name: Name, asked: RollBackRequest, gateway: TheGateway) -> RollBackAnswer:
    """Makes an earlier version of a generated tool run."""
    previous = await gateway.workshop.roll_back(name, asked.version)
    return RollBackAnswer(version=asked.version, previous_version=previous)


@versions_router.delete("/{name}", dependencies=_ADMINISTRATOR, status_code=204)
async def delete(name: Name, gateway: TheGateway) -> None:
    """Forgets a generated tool with all its versions."""
    await gateway.workshop.delete(name)
