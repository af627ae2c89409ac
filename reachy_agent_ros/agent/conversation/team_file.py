"""Reads the file `agents.yaml`, in which users change, restrict and add specialists."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, StringConstraints, ValidationInfo, model_validator

from reachy_agent_ros.agent.conversation.specialists import COORDINATOR, USUAL_TEAM, Specialist, Team
from reachy_agent_ros.agent.toolbox.tool_names import unknown_tool
from reachy_agent_ros.core.credentials import require_no_secret
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.suggestion import did_you_mean
from reachy_agent_ros.storage.strict_yaml import PlacedError, StrictForm, read_form

FILE_NAME = "agents.yaml"
"""Name of the file in the state directory."""

_LARGEST_FILE = 100_000
"""Maximum size of the file, bytes."""

_TOOLS = "tools"
"""Key in the validation context for the names of all tools."""

_CONSEQUENCE = "The agents are not used"


def load_team(path: Path, tools: Collection[str] | None = None) -> Team:
    """Returns the coordinator and the specialists: the built-in agents with the changes and additions of the file.

    The file determines which agent uses a tool, and with which instructions. Permissions determine what a tool may do.

    Args:
        path: Path of the file, which need not exist.
        tools: Names of all tools, or patterns such as `notion_*`; others are rejected. None if they are not known yet.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is invalid. The message names the line and the closest valid name.
    """
    if not path.exists():
        return USUAL_TEAM
    written = read_form(path, _File, _LARGEST_FILE, _CONSEQUENCE, context={_TOOLS: tools})
    return {**USUAL_TEAM, **{name: agent.specialist(name) for name, agent in written.agents.items()}}


def unknown_tools(team: Team, tools: Collection[str]) -> str:
    """Describes the tool patterns that match no tool, with the closest tool names; empty if all patterns match."""
    patterns = dict.fromkeys(pattern for one in team.values() for pattern in (*one.tools, *one.without))
    return " ".join(problem for pattern in patterns if (problem := unknown_tool(pattern, tools)))


def _known(pattern: str, info: ValidationInfo) -> str:
    tools = (info.context or {}).get(_TOOLS)
    if tools is not None and (problem := unknown_tool(pattern, tools)):
        raise ValueError(problem)
    return pattern


def _without_secret(text: str) -> str:
    try:
        for word in text.split():
            require_no_secret("The text", word.strip("\"'`()<>,."))
    except AgentError as error:
        raise ValueError(error.message) from None
    return text


_Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True), AfterValidator(_without_secret)]
_Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{1,23}$")]
_Pattern = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.*-]{1,100}$"), AfterValidator(_known)]


class _Agent(StrictForm):
    description: Annotated[_Text, Field(max_length=300)] = ""
    instructions: Annotated[_Text, Field(max_length=4000)] = ""
    tools: list[_Pattern] = Field(default=[], max_length=100)
    without: list[_Pattern] = Field(default=[], max_length=100)
    model: Literal["quick", "deep"] | None = None

    def specialist(self, name: str) -> Specialist:
        usual = USUAL_TEAM.get(name, Specialist(name, "", f"You are the {name} specialist."))
        return replace(
            usual,
            description=self.description or usual.description,
            instructions=" ".join(filter(None, (usual.instructions, self.instructions))),
            tools=tuple(self.tools),
            without=tuple(self.without),
            tier=self.model or "",
        )


class _File(StrictForm):
    agents: dict[_Name, _Agent] = Field(max_length=20)

    @model_validator(mode="after")
    def _complete(self) -> _File:
        for name, agent in self.agents.items():
            if name == COORDINATOR:
                _require_only_words(agent)
            elif name not in USUAL_TEAM:
                _require_complete(name, agent)
        return self


def _require_only_words(agent: _Agent) -> None:
    if agent.tools or agent.without or agent.description:
        message = "only instructions and model can be set, because all agents use the coordinator's tools"
        raise PlacedError(("agents", COORDINATOR), message)


def _require_complete(name: str, agent: _Agent) -> None:
    """Checks that a custom agent is complete. If not, the error suggests a built-in agent with a similar name."""
    missing = [key for key in ("description", "instructions", "tools") if not getattr(agent, key)]
    if missing:
        hint = did_you_mean(name, list(USUAL_TEAM))
        message = f"There is no built-in specialist with this name.{hint} A custom one needs {', '.join(missing)}"
        raise PlacedError(("agents", name), message)
