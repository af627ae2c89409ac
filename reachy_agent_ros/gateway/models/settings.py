"""Settings of the graph and its nodes."""

from __future__ import annotations

from typing import Literal, Protocol

from pydantic import BaseModel, Field

from reachy_agent_ros.settings.parameter import TypeName

SettingValue = bool | int | float | str

Effect = Literal["now", "next_start"]


class SettingModel(BaseModel):
    """Setting with its value at the next start."""

    name: str = Field(description="`robot` for an argument of the graph, `tts.volume` for a parameter of a node.")
    value: SettingValue
    origin: str = Field(
        description="Origin of the value: `command line`, an environment variable, a line of the file, or `default`."
    )
    default: SettingValue
    type: TypeName
    unit: str = Field(description="Symbol of the unit; empty for none.")
    low: float | None = Field(description="Least value of a number; null for no limit.")
    high: float | None = Field(description="Greatest value of a number; null for no limit.")
    choices: list[str] = Field(description="Allowed texts; empty if any text is allowed.")
    description: str
    changes_live: bool = Field(description="Whether a change takes effect while the node runs.")
    editable: bool = Field(description="Whether it can be changed here. The others are for `reachy-agent config`.")


class SettingsAnswer(BaseModel):
    """All settings."""

    file: str = Field(description="Name of the settings file.")
    settings: list[SettingModel] = Field(description="Arguments of the graph, then the parameters of each node.")


class SettingRequest(BaseModel):
    """New value of a setting."""

    name: str = Field(max_length=100, description="Name of the setting.")
    value: SettingValue | None = Field(description="New value; null removes the setting from the file.")


class SettingAnswer(BaseModel):
    """Setting after a change."""

    setting: SettingModel
    effect: Effect = Field(description="When the change takes effect: `now`, or at the `next_start` of the graph.")


class SettingsService(Protocol):
    """Reads and changes the settings file."""

    async def listed(self) -> SettingsAnswer:
        """Returns all settings.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the file or the environment is invalid.
        """
        ...

    async def change(self, asked: SettingRequest) -> SettingAnswer:
        """Writes a setting to the file and, if possible, applies it to the running node.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: unknown name, invalid value, invalid file, or value that the node rejects;
                `DECISION_NOT_ALLOWED`: a protected setting; `STORAGE_FAILED`: the file cannot be written; or an error
                of the call if the node does not respond.
        """
        ...
