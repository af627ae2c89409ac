"""All personas there are: the shipped ones, and those a person made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.agent.personas.persona import Persona
from reachy_agent_ros.agent.personas.persona_folder import check_name, looks_like_persona, read_persona
from reachy_agent_ros.core.configuration import configuration_file
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory

DEFAULT_PERSONA = "reachy"
"""Who the robot is where nobody chose."""

USUAL_VALUES: Mapping[str, str] = {"robot_name": "Reachy", "owner": "your owner"}
"""Values that instructions may name, as they are where nothing better is known."""


@dataclass(frozen=True)
class Listed:
    """A folder of the list.

    Attributes:
        name: The folder's.
        own: Whether the person made it, and not we.
        persona: What it holds, None where it cannot be read.
        error: Why it cannot be read, None where it can.
    """

    name: str
    own: bool
    persona: Persona | None = None
    error: AgentError | None = None


class PersonaLibrary:
    """Two folders of personas. Nothing is kept in memory, so what was changed on disk counts at the next load.

    Args:
        shipped: Those that come with the robot.
        own: A person's, which take the place of shipped ones of the same name. It need not exist.
        values: What instructions may name.
    """

    def __init__(self, shipped: Path, own: Path, values: Mapping[str, str] = USUAL_VALUES) -> None:
        self._shipped = shipped
        self._own = own
        self._values = values

    def names(self) -> list[str]:
        """Of all that can be read, in order.

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
        """Who the robot can always be, whatever a person's own files say."""
        return self.read(self._shipped / DEFAULT_PERSONA)

    def read(self, folder: Path) -> Persona:
        """Reads any folder, with the shared pieces of these.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, naming the file, and the line where instructions are wrong.
        """
        persona = read_persona(folder, (self._own, self._shipped), self._shipped)
        persona.instructions(self._values)  # a value that there is not is told now, not in the middle of a turn
        return persona

    def listed(self) -> list[Listed]:
        """All that there are, by name; broken ones with what is wrong.

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


def _folders(parent: Path) -> Iterator[Path]:
    try:
        yield from (folder for folder in parent.iterdir() if folder.is_dir() and looks_like_persona(folder))
    except FileNotFoundError:
        return
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"{parent} cannot be looked into: {error.strerror}.") from error
