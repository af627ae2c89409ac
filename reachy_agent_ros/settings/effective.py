"""Effective settings: command line, environment, file and defaults, in this order of precedence."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.settings.declarations import declaration, declared
from reachy_agent_ros.settings.file import FILE_NAME, SettingsFile
from reachy_agent_ros.settings.parameter import Parameter, Value, as_text

STATE = "state_directory"
"""Setting for the folder that contains the settings file, so a file in that folder cannot set it."""

CONFIG_VARIABLE = "REACHY_AGENT_CONFIG"
"""Environment variable with the path of another settings file."""


@dataclass(frozen=True)
class Setting:
    """Setting with its effective value and the origin of the value.

    Attributes:
        declaration: Declaration with the full name.
        value: Effective value.
        origin: Origin of the value: "command line", an environment variable, a line of the file, an argument of the
            graph (only from `bringup.graph_settings`), or "default".
    """

    declaration: Parameter
    value: Value
    origin: str

    @property
    def is_default(self) -> bool:
        """Whether the setting has its default value, because it is set nowhere."""
        return self.origin == "default"

    @property
    def text(self) -> str:
        """Value as text, in the format of the command line."""
        return as_text(self.value)


def effective(given: Mapping[str, str], file: Path | None = None) -> dict[str, Setting]:
    """Returns a map of names to all settings, with their effective values.

    Args:
        given: Settings from the command line, as strings.
        file: Settings file; None for `settings_path`.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a name in `given` or in the file is unknown, a value of any origin is invalid,
            `file` does not exist, or the default file sets the state directory that contains it.
    """
    known = declared()
    settings = {name: Setting(one, one.default, "default") for name, one in known.items()}
    for entry in SettingsFile(_existing(file, given)).entries():
        if entry.name == STATE and file is None and STATE not in given:
            message = f"Set state_directory on the command line or as REACHY_AGENT_STATE, not in its {FILE_NAME}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        settings[entry.name] = Setting(known[entry.name], entry.value, f"{FILE_NAME}, line {entry.line}")
    for name, one in known.items():
        text = os.environ.get(variable(name))
        if text is not None and name != STATE:  # that variable is its default
            settings[name] = Setting(one, one.parse(text), variable(name))
    for name, text in given.items():
        one = declaration(name)
        settings[name] = Setting(one, one.parse(text), "command line")
    return settings


def settings_path(state: str = "") -> Path:
    """Returns the path of the settings file: `REACHY_AGENT_CONFIG`, or the file in the state directory.

    Args:
        state: State directory; empty for the default one.
    """
    named = os.environ.get(CONFIG_VARIABLE)
    return Path(named) if named else (Path(state) if state else state_directory()) / FILE_NAME


def variable(name: str) -> str:
    """Returns the name of a setting's environment variable, such as `REACHY_AGENT_TTS__VOLUME`."""
    return "REACHY_AGENT_STATE" if name == STATE else f"REACHY_AGENT_{name.replace('.', '__').upper()}"


def _existing(file: Path | None, given: Mapping[str, str]) -> Path:
    if file is None:
        return settings_path(given.get(STATE, ""))
    if not file.is_file():
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Settings file not found: {file}.")
    return file
