"""All personas, shipped or made by a person, and the active one."""

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
"""The persona of a robot for which nobody has chosen one."""

USUAL_VALUES: Mapping[str, str] = {"robot_name": "Reachy", "owner": "your owner"}
"""Default values of what instructions may name."""
_log = logging.getLogger(__name__)
_LARGEST_CHOICE = 100
"""Bytes of the file that names the active persona."""


@dataclass(frozen=True)
class Listed:
    """A persona's folder, whether or not it can be read.

    Attributes:
        name: The folder's.
        own: Whether a person made it; False for one that comes with the robot.
        persona: What it holds, None where it cannot be read.
        error: Why it cannot be read, None where it can.
    """

    name: str
    own: bool
    persona: Persona | None = None
    error: AgentError | None = None


class PersonaLibrary:
    """Two folders of personas. Nothing is cached, so a change on disk is effective at the next load.

    Args:
        shipped: Folder of the personas of this package.
        own: Folder of a person's personas, which replace shipped ones of the same name. It need not exist.
        values: Values that instructions may name.
    """

    def __init__(self, shipped: Path, own: Path, values: Mapping[str, str] = USUAL_VALUES) -> None:
        self._shipped = shipped
        self._own = own
        self._values = values

    def names(self) -> list[str]:
        """The names of all personas that can be read, in order.

        Raises:
            AgentError: `STORAGE_FAILED`: a folder cannot be looked into.
        """
        return [listed.name for listed in self.listed() if listed.persona is not None]

    def load(self, name: str) -> Persona:
        """Reads a persona.

        Raises:
            AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS`: none can have that name, or something is wrong with it;
                `STORAGE_FAILED`. A broken one of the person's own is not replaced by a shipped one without a word.
        """
        check_name(name)
        for folder in (self._own / name, self._shipped / name):
            if looks_like_persona(folder):
                return self.read(folder)
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no persona {name!r}. There are: {', '.join(self.names())}.")

    def shipped_default(self) -> Persona:
        """The shipped default, which is available whatever a person's own files contain."""
        return self.read(self._shipped / DEFAULT_PERSONA)

    def read(self, folder: Path) -> Persona:
        """Reads any folder, with the shared pieces of these.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, naming the file, and the line where instructions are wrong.
        """
        persona = read_persona(folder, (self._own, self._shipped), self._shipped)
        persona.instructions(self._values)  # an unknown value fails here, not in the middle of a turn
        return persona

    def listed(self) -> list[Listed]:
        """All personas by name, broken ones with their error.

        Raises:
            AgentError: `STORAGE_FAILED`: a folder cannot be looked into.
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
    """The shipped ones, and those in the state directory of whoever runs the program."""
    return PersonaLibrary(configuration_file("personas"), state_directory() / "personas")


def active_path() -> Path:
    """The file that names the active persona, in the state directory of whoever runs the program."""
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
        """The active persona, read again from disk.

        If the chosen one is gone or broken, this is the shipped default; `warning` says why, and the log says it once.

        Raises:
            AgentError: The installation is incomplete.
        """
        try:
            persona = self._library.load(self._chosen())
        except AgentError as error:
            warning = f"The robot is {DEFAULT_PERSONA}, not the persona that was chosen: {error.message}"
            if warning != self.warning:
                _log.warning("%s", warning)
            self.warning = warning
            return self._library.shipped_default()
        self.warning = ""
        return persona

    def choose(self, name: str) -> Persona:
        """Makes the robot another persona; the choice is on disk when this returns.

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
        return read_text(self._path, _LARGEST_CHOICE).strip() if self._path.exists() else DEFAULT_PERSONA


def _folders(parent: Path) -> Iterator[Path]:
    try:
        yield from (folder for folder in parent.iterdir() if folder.is_dir() and looks_like_persona(folder))
    except FileNotFoundError:
        return
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{parent} cannot be looked into: {error.strerror}.") from error
