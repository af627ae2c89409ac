"""Tool catalog and tool calls."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.gateway.callers import Caller

ToolName = Annotated[str, Field(min_length=1, max_length=100, description="Name of the tool in the catalog.")]

ToolOrigin = Literal["predefined", "generated", "external"]

ToolAuthor = Literal["none", "person", "language_model", "import"]

ToolPermission = Literal["autonomous", "notify", "confirm", "forbidden"]


class ToolAnswer(BaseModel):
    """Tool of the robot."""

    name: str
    description: str = Field(description="Description for people and models.")
    parameters: dict[str, Any] = Field(description="JSON Schema of the arguments.")
    version: int = Field(description="Version; 1 for predefined tools.")
    source: ToolOrigin = Field(description="Origin of the tool.")
    author: ToolAuthor = Field(description="Author of the active version; `none` if the tool was not generated.")
    permission: ToolPermission = Field(
        description="Minimum permission level; the rules in docs/concepts/permissions.md may require more."
    )
    enabled: bool = Field(description="Whether the tool may be called.")
    moves_robot: bool = Field(description="Whether the tool can move the robot.")
    reversible: bool = Field(description="Whether the effect of the tool can be undone.")
    untrusted_output: bool = Field(
        description="Whether the result of the tool may contain text from untrusted sources."
    )
    specialist: str = Field(description="Specialist that uses the tool.")
    time_limit: float = Field(description="Time after which a call is canceled, seconds.")
    waiting: bool = Field(description="Whether a version waits for review by a person.")


class ToolsAnswer(BaseModel):
    """Tool catalog of the robot."""

    revision: int = Field(description="Revision of the catalog, which increments with every change.")
    tools: list[ToolAnswer] = Field(description="Tools sorted by name, including disabled ones.")
    waiting: list[str] = Field(description="Names of generated tools with a version that waits for review.")


class ExecuteRequest(BaseModel):
    """Tool call to execute."""

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
    execution_time: float = Field(description="Time since the agent accepted the call, seconds.")
    error: ToolFailure | None = Field(description="Error of the tool; null if it succeeded.")


class ToolService(Protocol):
    """Service that lists and calls tools. All methods raise `AgentError`."""

    async def catalogue(self) -> ToolsAnswer:
        """Returns all current tools."""

    async def execute(self, asked: ExecuteRequest, caller: Caller) -> ExecuteAnswer:
        """Calls a tool with the agent's permissions and audit log. Canceling the coroutine cancels the call.

        Standing permissions apply only to the client for which a person granted them.

        Raises:
            AgentError: The call was rejected or canceled. A tool that ran and failed returns an answer instead.
        """
