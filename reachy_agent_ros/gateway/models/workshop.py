"""Generated tools: their source, tests, verification and versions."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, ConfigDict, Field, model_validator

from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.gateway.callers import Caller

MAX_CODE = 200_000
"""Maximum length of a source, characters. The limit of the validator is lower."""

MAX_CASES = 20
MAX_TEXT = 4_000
MAX_VERSION = 2**32 - 1

Code = Annotated[str, Field(min_length=1, max_length=MAX_CODE, description="Python source of one tool.")]
Text = Annotated[str, Field(max_length=MAX_TEXT)]
Version = Annotated[int, Field(ge=1, le=MAX_VERSION, description="Existing version of the tool.")]
ReviewState = Literal["waiting", "approved", "rejected"]


class CaseModel(BaseModel):
    """Test case of a tool."""

    # Responses contain all fields, and the OpenAPI document states this.
    model_config = ConfigDict(extra="forbid", json_schema_serialization_defaults_required=True)

    args: dict[str, Any] = Field(default_factory=dict, description="Arguments by name.")
    expect: Any = Field(None, description="Expected part of the result; null: any result without an error.")
    raises: str = Field("", max_length=100, description="Name of the expected exception; empty: no exception.")


Cases = Annotated[list[CaseModel], Field(max_length=MAX_CASES, description="Tests that the tool must pass.")]


class VerdictModel(BaseModel):
    """Result of one verification stage."""

    stage: str = Field(description="`text`, `syntax`, `sandbox`, `trial` or `review`.")
    ok: bool
    reason: str = Field(description="Reason for a failure, with line numbers.")
    duration: float = Field(description="Duration, seconds.")


class CaseResultModel(BaseModel):
    """Result of a test case."""

    ok: bool
    result: Any = Field(description="Return value of the tool; null after an error.")
    error: str = Field(description="Error message; empty without an error.")
    duration: float = Field(description="Duration, seconds.")


class ValidationResult(BaseModel):
    """Result of the verification."""

    ok: bool = Field(description="Whether every stage passed.")
    verdicts: list[VerdictModel] = Field(description="One verdict per stage, in order.")


class TestResults(BaseModel):
    """Results of the test cases."""

    passed: int
    failed: int
    results: list[CaseResultModel] = Field(description="One result per test case, in order.")


class CheckRequest(BaseModel):
    """Source code to verify."""

    code: Code
    test_cases: Cases = Field(default_factory=list)


class CheckAnswer(BaseModel):
    """Result of a verification without registration."""

    validation_result: ValidationResult
    test_results: TestResults
    robot_commands: int = Field(description="Number of commands that the robot would have received.")
    violations: list[str] = Field(description="Violations of the rules for robot commands.")


class GenerateRequest(BaseModel):
    """Request to create a tool."""

    description: Text = Field("", description="Task of the tool. A model writes the tool if `code` is empty.")
    test_cases: Cases = Field(default_factory=list)
    code: str = Field("", max_length=MAX_CODE, description="Source written by a person; no model is needed then.")
    explanation: Text = Field("", description="Purpose of the code; empty: the description.")

    @model_validator(mode="after")
    def _says_something(self) -> GenerateRequest:
        if not self.description.strip() and not self.code.strip():
            raise ValueError("a description or code is required")
        return self


class GenerateAnswer(BaseModel):
    """Created tool."""

    tool_name: str = Field(description="Name of the tool; empty if the code defines none.")
    version: int = Field(description="Version of the tool; 0 if it failed and was not stored.")
    registered: bool = Field(description="Whether the tool can be called now.")
    waiting: bool = Field(description="Whether a person must review the tool first.")
    code: str
    validation_result: ValidationResult
    test_results: TestResults


class ToolVersionModel(BaseModel):
    """Version of a generated tool."""

    version: int
    state: ReviewState
    active: bool = Field(description="Whether this is the active version.")
    digest: str = Field(description="SHA-256 of the source.")
    author: str
    request: str = Field(description="Request for which the tool was written.")
    explanation: str = Field(description="Explanation by the author.")
    asked_by: str = Field(description="Token with which the request was made, `token:NAME#DIGEST`; empty if none.")
    comment: str = Field(description="Comment of the reviewer.")
    decided_by: str = Field(description="Person who reviewed the version, and the channel; empty without a review.")
    needs: list[str] = Field(description="Capabilities that the tool uses: `body`, `eyes`, `voice`, `web`.")
    created: float = Field(description="Time of creation, seconds since the epoch.")
    time_limit: float = Field(description="Time limit of a run, seconds.")
    memory_limit: int = Field(description="Memory limit of a run, bytes.")
    verdicts: list[VerdictModel]
    cases: list[CaseModel] = Field(description="Tests that the version passed.")
    runs: int = Field(description="Number of runs since registration.")
    successes: int = Field(description="Number of successful runs.")
    failures: list[str] = Field(description="Latest error messages, the newest last.")


class GeneratedToolAnswer(BaseModel):
    """Generated tool with its versions."""

    name: str
    code: str = Field(description="Source of `version`.")
    version: int
    enabled: bool = Field(description="Whether the tool may be called.")
    reason: str = Field(description="Reason why the tool is disabled; empty if it is enabled.")
    versions: list[ToolVersionModel] = Field(description="Versions, oldest first.")


class ToolReviewRequest(BaseModel):
    """A person's decision about a version that is waiting for review."""

    version: Version
    approve: bool
    comment: Text = Field("", description="Comment, stored with the decision.")


class EnableRequest(BaseModel):
    """Change of a tool's enabled state."""

    enabled: bool


class RollBackRequest(BaseModel):
    """Version to activate."""

    version: Version


class RollBackAnswer(BaseModel):
    """Result of a rollback."""

    version: int = Field(description="Version that is active now.")
    previous_version: int = Field(description="Version that was active before.")


class WorkshopService(Protocol):
    """Service that generates, verifies and stores tools. All methods raise `AgentError`."""

    async def check(self, asked: CheckRequest) -> CheckAnswer:
        """Verifies source code without storing it."""

    async def generate(self, asked: GenerateRequest, caller: Caller) -> GenerateAnswer:
        """Verifies code from the request or from the agent. Registers the tool if the code passes.

        Canceling the coroutine ends the agent's turn.

        Raises:
            AgentError: `VALIDATION_FAILED`: the agent did not create a tool; or any error of a conversation.
        """

    async def tool(self, name: str, version: int) -> GeneratedToolAnswer:
        """Returns a generated tool with the source of a version. 0 means the active version, or else the newest."""

    async def review(self, name: str, asked: ToolReviewRequest, decided_by: Principal) -> None:
        """Approves or rejects a version. Raises `DECISION_NOT_ALLOWED` if `decided_by` may not decide."""

    async def enable(self, name: str, enabled: bool) -> None:
        """Enables or disables a tool of any origin."""

    async def roll_back(self, name: str, version: int) -> RollBackAnswer:
        """Activates another approved version of a tool."""

    async def delete(self, name: str) -> None:
        """Deletes a generated tool with all its versions."""
