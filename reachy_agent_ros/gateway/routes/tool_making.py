"""Making tools: code is proven, written by a model where there is none, and kept if it passes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from pydantic import BaseModel, ConfigDict, Field, model_validator

from reachy_agent_ros.gateway.access.guard import requires
from reachy_agent_ros.gateway.caller import Caller, Role
from reachy_agent_ros.gateway.graph import Gateway, gateway_of
from reachy_agent_ros.gateway.hang_up import unless_hung_up
from reachy_agent_ros.gateway.ports.workshop import Case, Made, Proof, Source
from reachy_agent_ros.gateway.strict_route import StrictRoute

router = APIRouter(prefix="/tools", tags=["tools"], route_class=StrictRoute)

MAX_CODE = 200_000
"""Characters of a source; the validator's own limit is lower."""

MAX_CASES = 20
MAX_TEXT = 4_000

TheGateway = Annotated[Gateway, Depends(gateway_of)]
Code = Annotated[str, Field(min_length=1, max_length=MAX_CODE, description="Python source of one tool.")]
Text = Annotated[str, Field(max_length=MAX_TEXT)]


class CaseModel(BaseModel):
    """One test of a tool."""

    model_config = ConfigDict(extra="forbid")

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


@router.post("/generate")
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
        source = Source(asked.code, cases, explanation, asked.description, caller.name, caller.principal.token)
        work = gateway.workshop.register(source)
    else:
        work = gateway.workshop.write(asked.description, cases, caller.principal)
    return _made(await unless_hung_up(request, work))


@router.post("/check", dependencies=[Depends(requires(Role.ADMINISTRATOR))])
async def check(asked: CheckRequest, gateway: TheGateway) -> CheckAnswer:
    """Reads code, runs it in the sandbox with its tests and on a simulated twin, and keeps nothing."""
    proof = await gateway.workshop.check(Source(asked.code, _cases(asked.test_cases)))
    return CheckAnswer(
        validation_result=_validation(proof),
        test_results=_results(proof),
        robot_commands=proof.robot_commands,
        violations=list(proof.violations),
    )


def _cases(given: Sequence[CaseModel]) -> list[Case]:
    return [Case(one.args, one.expect, one.raises) for one in given]


def _made(made: Made) -> GenerateAnswer:
    return GenerateAnswer(
        tool_name=made.name,
        version=made.version,
        registered=bool(made.version) and not made.waiting,
        waiting=made.waiting,
        code=made.code,
        validation_result=_validation(made.proof),
        test_results=_results(made.proof),
    )


def _validation(proof: Proof) -> ValidationResult:
    return ValidationResult(ok=proof.passed, verdicts=[VerdictModel.model_validate(one) for one in proof.verdicts])


def _results(proof: Proof) -> TestResults:
    passed = sum(one.ok for one in proof.results)
    return TestResults(
        passed=passed,
        failed=len(proof.results) - passed,
        results=[CaseResultModel.model_validate(one) for one in proof.results],
    )
