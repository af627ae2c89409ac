"""The tool catalog and tool calls."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.callers import Caller

ToolName = Annotated[str, Field(min_length=1, max_length=100, description="As the catalogue has it.")]

ToolOrigin = Literal["predefined", "generated", "external"]

ToolPermission = Literal["autonomous", "notify", "confirm", "forbidden"]


class ToolAnswer(BaseModel):
    """One tool."""

    name: str
    description: str = Field(description="What it does, for people and models.")
    parameters: dict[str, Any] = Field(description="JSON Schema of the object of its arguments.")
    version: int = Field(description="1 for tools that came with the robot.")
    source: ToolOrigin = Field(description="Where it comes from.")
    permission: ToolPermission = Field(
        description="What the tool itself asks for; the rules of docs/concepts/permissions.md may ask for more."
    )
    enabled: bool = Field(description="Whether it may be called.")
    moves_robot: bool = Field(description="Whether it can cause motion.")
    reversible: bool = Field(description="Whether what it does can be taken back.")
    untrusted_output: bool = Field(description="Whether its result holds words of others.")
    specialist: str = Field(description="Agent that uses it.")
    time_limit: float = Field(description="Seconds after which it is cancelled.")
    waiting: bool = Field(description="Whether a version of it waits for a person's review.")


class ToolsAnswer(BaseModel):
    """The catalogue."""

    revision: int = Field(description="Counts up with every change.")
    tools: list[ToolAnswer] = Field(description="By name, disabled ones too.")
    waiting: list[str] = Field(description="Names of generated tools with a version that waits for a review.")


class ExecuteRequest(BaseModel):
    """A call of a tool."""

    tool_name: ToolName
    parameters: dict[str, Any] = Field(default_factory=dict, description="Arguments by name.")


class ToolFailure(BaseModel):
    """What went wrong in a tool."""

    code: str = Field(description="Error code, such as INVALID_ARGUMENTS.")
    detail: str = Field(description="One sentence for people.")


class ExecuteAnswer(BaseModel):
    """How a call ended."""

    status: Literal["success", "error"] = Field(description="Whether the tool did what it should.")
    result: Any = Field(description="What it returned; null after an error.")
    execution_time: float = Field(description="Seconds from the moment the agent took the call.")
    error: ToolFailure | None = Field(description="What went wrong in the tool; null if nothing did.")


class ToolService(Protocol):
    """Lists and calls tools. All methods raise `AgentError`."""

    async def catalogue(self) -> ToolsAnswer:
        """Returns all tools there are now."""

    async def execute(self, asked: ExecuteRequest, caller: Caller) -> ExecuteAnswer:
        """Calls a tool with the agent's permissions and audit log; canceling this cancels the call.

        What a person grants to the caller holds for that caller alone.

        Raises:
            AgentError: The call was refused or canceled. A tool that ran and failed is an answer.
        """
