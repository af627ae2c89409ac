"""Library of shipped and custom personas, and the choice of the active persona."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.agent.personas.persona import Persona, check_name, looks_like_persona, read_persona
from reachy_agent_ros.core.contained_file import read_text
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import configuration_file, state_directory

DEFAULT_PERSONA = "reachy"
"""Persona that is active if no persona was chosen."""

USUAL_VALUES: Mapping[str, str] = {"robot_name": "Reachy", "owner": "your owner"}
"""Default values for placeholders in instructions."""
_log = logging.getLogger(__name__)
_LARGEST_CHOICE = 100
"""Maximum size of the file with the name of the active persona, bytes."""


@dataclass(frozen=True)
class Listed:
    """Entry in a list of personas. If the persona is unreadable, the entry contains the error instead.

    Attributes:
        name: Name of the folder.
        own: Whether the persona is custom; False for a shipped persona.
        persona: Persona, None if it cannot be read.
        error: Error from reading the persona, None if it can be read.
    """

    name: str
    own: bool
    persona: Persona | None = None
    error: AgentError | None = None


class PersonaLibrary:
    """Library of the personas in two folders. Has no cache, so changes on disk take effect at the next load.

    Args:
        shipped: Folder of the personas of this package.
        own: Folder of custom personas, which replace shipped ones with the same name. The folder need not exist.
        values: Values for placeholders in instructions.
    """

    def __init__(self, shipped: Path, own: Path, values: Mapping[str, str] = USUAL_VALUES) -> None:
        self._shipped = shipped
        self._own = own
        self._values = values

    def names(self) -> list[str]:
        """Returns the sorted names of all readable personas.

        Raises:
            AgentError: `STORAGE_FAILED`: a folder cannot be read.
        """
        return [listed.name for listed in self.listed() if listed.persona is not None]

    def load(self, name: str) -> Persona:
        """Reads a persona by name. Does not replace an invalid custom persona with a shipped persona of the same name.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: the name or the persona is invalid; `STORAGE_FAILED`.
        """
        check_name(name)
        for folder in (self._own / name, self._shipped / name):
            if looks_like_persona(folder):
                return self.read(folder)
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no persona {name!r}. Available: {', '.join(self.names())}.")

    def shipped_default(self) -> Persona:
        """Reads the shipped default persona, regardless of custom personas."""
        return self.read(self._shipped / DEFAULT_PERSONA)

    def read(self, folder: Path) -> Persona:
        """Reads a persona from the given folder. Its templates may include shared files of this library.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the persona is invalid. The message contains the path of the file
                or folder and, for an invalid placeholder in the instructions, the line.
        """
        persona = read_persona(folder, (self._own, self._shipped), self._shipped)
        persona.instructions(self._values)  # an unknown value fails here, not in the middle of a turn
        return persona

    def listed(self) -> list[Listed]:
        """Returns all personas, sorted by name. Entries of invalid personas contain the error.

        Raises:
            AgentError: `STORAGE_FAILED`: a folder cannot be read.
        """
        found = {folder.name: folder for folder in (*_folders(self._shipped), *_folders(self._own))}
        return [self._listed(folder) for _, folder in sorted(found.items())]

    def _listed(self, folder: Path) -> Listed:
        own = folder.parent == self._own
        try:
            return Listed(folder.name, own, self.read(folder))
        except AgentError as error:
            return Listed(folder.name, own, error=error)


def standard_library() -> PersonaLibrary:
    """Returns the library of shipped personas and of custom personas from the state directory."""
    return PersonaLibrary(configuration_file("personas"), state_directory() / "personas")


def active_path() -> Path:
    """Returns the path of the file in the state directory that contains the name of the active persona."""
    return state_directory() / "persona"


class ActivePersona:
    """Choice of the active persona, whose name is stored in a file.

    Args:
        library: Library of the personas.
        path: Path of the file, which need not exist.

    Attributes:
        warning: Reason why the chosen persona is not active, as a sentence; empty if it is active.
    """

    def __init__(self, library: PersonaLibrary, path: Path) -> None:
        self._library = library
        self._path = path
        self.warning = ""

    def current(self) -> Persona:
        """Reads the active persona from disk.

        If the chosen persona is missing or invalid, reads the shipped default instead, sets `warning` to the reason and
        logs it once.

        Raises:
            AgentError: The installation is incomplete.
        """
        try:
            persona = self._library.load(self._chosen())
        except AgentError as error:
            warning = f"The persona {DEFAULT_PERSONA} is active instead of the chosen one: {error.message}"
            if warning != self.warning:
                _log.warning("%s", warning)
            self.warning = warning
            return self._library.shipped_default()
        self.warning = ""
        return persona

    def choose(self, name: str) -> Persona:
        """Activates another persona and waits until the choice is on disk.

        Raises:
            AgentError: Errors of `PersonaLibrary.load`, or `STORAGE_FAILED`: the active persona does not change.
        """
        persona = self._library.load(name)
        try:
            write_durably(self._path, f"{name}\n")
        except OSError as error:
            message = f"The choice of persona could not be stored: {error.strerror}."
            raise AgentError(ErrorCode.STORAGE_FAILED, message) from error
        self.warning = ""
        return persona

    def _chosen(self) -> str:
        return read_text(self._path, _LARGEST_CHOICE).strip() if self._path.exists() else DEFAULT_PERSONA


def _folders(parent: Path) -> Iterator[Path]:
    try:
        yield from (folder for folder in parent.iterdir() if folder.is_dir() and looks_like_persona(folder))
    except FileNotFoundError:
        return
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"The folder {parent} cannot be read: {error.strerror}.") from error
