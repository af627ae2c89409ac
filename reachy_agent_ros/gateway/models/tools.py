"""The tool catalog and tool calls."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.callers import Caller

ToolName = Annotated[str, Field(min_length=1, max_length=100, description="Name of the tool in the catalog.")]

ToolOrigin = Literal["predefined", "generated", "external"]

ToolPermission = Literal["autonomous", "notify", "confirm", "forbidden"]


class ToolAnswer(BaseModel):
    """One tool."""

    name: str
    description: str = Field(description="Description for people and models.")
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")
    version: int = Field(description="Version; 1 for predefined tools.")
    source: ToolOrigin = Field(description="Origin of the tool.")
    permission: ToolPermission = Field(
        description="Minimum permission level; the rules in docs/concepts/permissions.md may require more."
    )
    enabled: bool = Field(description="Whether the tool may be called.")
    moves_robot: bool = Field(description="Whether the tool can move the robot.")
    reversible: bool = Field(description="Whether its effect can be undone.")
    untrusted_output: bool = Field(description="Whether its result may contain text from untrusted sources.")
    specialist: str = Field(description="Specialist that uses the tool.")
    time_limit: float = Field(description="Seconds after which a call is canceled.")
    waiting: bool = Field(description="Whether a version waits for review by a person.")


class ToolsAnswer(BaseModel):
    """The tool catalog."""

    revision: int = Field(description="Increments with every change.")
    tools: list[ToolAnswer] = Field(description="Tools sorted by name, including disabled ones.")
    waiting: list[str] = Field(description="Names of generated tools with a version that waits for review.")


class ExecuteRequest(BaseModel):
    """A call of a tool."""

    tool_name: ToolName
    parameters: dict[str, Any] = Field(default_factory=dict, description="Arguments by name.")


class ToolFailure(BaseModel):
    """Error of a tool call."""

    code: str = Field(description="Error code, such as INVALID_ARGUMENTS.")
    detail: str = Field(description="Error message for people.")


class ExecuteAnswer(BaseModel):
    """Result of a tool call."""

    status: Literal["success", "error"] = Field(description="Whether the tool succeeded.")
    result: Any = Field(description="Return value; null after an error.")
    execution_time: float = Field(description="Seconds since the agent accepted the call.")
    error: ToolFailure | None = Field(description="Error of the tool; null if it succeeded.")


class ToolService(Protocol):
    """Lists and calls tools. All methods raise `AgentError`."""

    async def catalogue(self) -> ToolsAnswer:
        """Returns all tools that exist now."""

    async def execute(self, asked: ExecuteRequest, caller: Caller) -> ExecuteAnswer:
        """Calls a tool with the agent's permissions and audit log. Canceling this cancels the call.

        Standing permissions apply only to the client that a person gave them to.

        Raises:
            AgentError: The call was rejected or canceled. A tool that ran and failed gives an answer instead.
        """
