"""Who the robot is now, also after a restart."""

from __future__ import annotations

import logging
from pathlib import Path

from reachy_agent_ros.agent.personas.library import DEFAULT_PERSONA, PersonaLibrary
from reachy_agent_ros.agent.personas.persona import Persona
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory
from reachy_agent_ros.storage.text_file import read_text

_log = logging.getLogger(__name__)
_LARGEST = 100


def active_path() -> Path:
    """The file of whoever runs the program."""
    return state_directory() / "persona"


class ActivePersona:
    """The chosen persona, remembered in a file that holds its name.

    Args:
        library: Where personas are.
        path: The file, which need not exist.

    Attributes:
        warning: Why the robot is not the one that was chosen, one sentence; empty where it is.
    """

    def __init__(self, library: PersonaLibrary, path: Path) -> None:
        self._library = library
        self._path = path
        self.warning = ""

    def current(self) -> Persona:
        """Who the robot is, read anew.

        Where the chosen one has gone or is broken it is the shipped default, `warning` says why, and so does the log,
        once.

        Raises:
            AgentError: The installation is incomplete.
        """
        try:
            persona = self._library.load(self._chosen())
        except AgentError as error:
            self._warn(f"The robot is {DEFAULT_PERSONA}, not the persona that was chosen: {error.message}")
            return self._library.shipped_default()
        self.warning = ""
        return persona

    def choose(self, name: str) -> Persona:
        """Makes the robot another one; on disk when it returns.

        Raises:
            AgentError: As `PersonaLibrary.load`, or `STORAGE_FAILED`; the robot stays who it was.
        """
        persona = self._library.load(name)
        try:
            write_durably(self._path, f"{name}\n")
        except OSError as error:
            message = f"The choice of persona could not be kept: {error.strerror}."
            raise AgentError(ErrorCode.STORAGE_FAILED, message) from error
        self.warning = ""
        return persona

    def _chosen(self) -> str:
        return read_text(self._path, _LARGEST).strip() if self._path.exists() else DEFAULT_PERSONA

    def _warn(self, warning: str) -> None:
        if warning != self.warning:
            _log.warning("%s", warning)
        self.warning = warning
