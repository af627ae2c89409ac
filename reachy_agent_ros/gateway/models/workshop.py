"""Generated tools: their source, tests, verification and versions."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.gateway.callers import Caller

MAX_CODE = 200_000
"""Characters of a source; the validator's own limit is lower."""

MAX_CASES = 20
MAX_TEXT = 4_000
MAX_VERSION = 2**32 - 1

Code = Annotated[str, Field(min_length=1, max_length=MAX_CODE, description="Python source of one tool.")]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Version = Annotated[int, Field(ge=1, le=MAX_VERSION, description="One that the tool has.")]
ReviewState = Literal["waiting", "approved", "rejected"]


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

    stage: str = Field(description="`text`, `syntax`, `sandbox`, `trial` or `review`.")
    ok: bool
    reason: str = Field(description="Why not, with line numbers.")
    duration: float = Field(description="Seconds.")


class CaseResultModel(BaseModel):
    """How one test went."""

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


class ToolVersionModel(BaseModel):
    """One version of a generated tool."""

    version: int
    state: ReviewState
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


class WorkshopService(Protocol):
    """Generates, verifies and keeps tools. All methods raise `AgentError`."""

    async def check(self, asked: CheckRequest) -> CheckAnswer:
        """Verifies a source and keeps nothing."""

    async def generate(self, asked: GenerateRequest, caller: Caller) -> GenerateAnswer:
        """Verifies the given code, or has the agent write a tool, and registers what passes.

        Canceling this ends the agent's turn.

        Raises:
            AgentError: `VALIDATION_FAILED`: the agent made no tool of the description; and what a conversation raises.
        """

    async def tool(self, name: str, version: int) -> GeneratedToolAnswer:
        """Returns a generated tool with the source of a version; 0: the active version, or the newest."""

    async def review(self, name: str, asked: ToolReviewRequest, decided_by: Principal) -> None:
        """Approves or rejects a version; `DECISION_NOT_ALLOWED` if `decided_by` may not."""

    async def enable(self, name: str, enabled: bool) -> None:
        """Enables or disables any tool."""

    async def roll_back(self, name: str, version: int) -> RollBackAnswer:
        """Activates an earlier version."""

    async def delete(self, name: str) -> None:
        """Deletes a generated tool with all its versions."""
