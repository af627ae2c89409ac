"""A folder of Markdown files that people may edit and the agent keeps."""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from pathlib import Path

from reachy_agent_ros.agent.memory.documents import update_from_file
from reachy_agent_ros.agent.memory.entry import EntryKind
from reachy_agent_ros.agent.memory.entry_store import Forgotten
from reachy_agent_ros.agent.memory.entry_table import Fingerprint
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import state_directory

SUFFIX = ".md"

LONGEST_NOTE = 100_000
"""Characters of a note that is written here; people may write longer ones."""


def notes_folder() -> Path:
    """The folder of whoever runs the program."""
    return state_directory() / "notes"


@dataclass
class Changes:
    """What people did to the folder since it was looked at last.

    Attributes:
        read: Files that are new or were changed.
        forgotten: Files that are gone, and so is what was known of them.
        refused: Files that cannot be used, with the reason.
    """

    read: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


class Notes:
    """The folder is the truth; the memory holds its passages, to be found.

    Args:
        memory: Where the passages are.
        folder: Made if need be; a name in it may have folders of its own ("people/maria").
    """

    def __init__(self, memory: Memory, folder: Path) -> None:
        self._memory = memory
        self._folder = folder
        # A look at the folder that began before a note was written would take its passages for those of a lost file.
        self._lock = threading.Lock()

    def synchronise(self) -> Changes:
        """Makes the memory hold what the folder holds. Cheap where nothing changed; to be called before a search.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            return self._synchronised()

    def _synchronised(self) -> Changes:
        changes = Changes()
        names = {str(path.relative_to(self._folder)): path for path in self._folder.rglob(f"*{SUFFIX}")}
        names = {name: path for name, path in names.items() if path.is_file() and self._within(path)}
        known = self._memory.files(EntryKind.NOTE)
        for gone in sorted(set(known) - set(names)):
            self._memory.forget_file(EntryKind.NOTE, gone)
            changes.forgotten.append(gone)
        for name, path in sorted(names.items()):
            self._read(name, path, known.get(name), changes)
        return changes

    def write(self, name: str, text: str) -> None:
        """Writes a whole note, new or instead of the old one; on disk, and found, when it returns.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it has no such name or no text; `STORAGE_FAILED`.
        """
        with self._lock:
            self._put(self._path(name), text)

    def add(self, name: str, text: str) -> None:
        """Adds a paragraph to the end of a note, which is begun if need be; on disk, and found, when it returns.

        Raises:
            AgentError: As `write`.
        """
        with self._lock:
            path = self._path(name)
            before = self.read(name).rstrip() if path.exists() else ""
            self._put(path, f"{before}\n\n{text.strip()}" if before and text.strip() else text)

    def read(self, name: str) -> str:
        """Text of a note.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: no such name can be; `NOT_FOUND`; `STORAGE_FAILED`.
        """
        try:
            return self._path(name).read_text("utf-8-sig")
        except FileNotFoundError:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no note {name!r}.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"The note could not be read: {error}.") from error

    def delete(self, name: str) -> Forgotten:
        """Deletes a note, file and passages.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: no such name can be; `NOT_FOUND`; `STORAGE_FAILED`.
        """
        path = self._path(name)
        with self._lock:
            try:
                path.unlink()
            except FileNotFoundError:
                raise AgentError(ErrorCode.NOT_FOUND, f"There is no note {name!r}.") from None
            except OSError as error:
                raise AgentError(ErrorCode.STORAGE_FAILED, f"The note could not be deleted: {error}.") from error
            return self._memory.forget_file(EntryKind.NOTE, str(path.relative_to(self._folder)))

    def _put(self, path: Path, text: str) -> None:
        if not text.strip():
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "A note has some text.")
        if len(text) > LONGEST_NOTE:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"A note has no more than {LONGEST_NOTE} characters.")
        try:
            write_durably(path, text if text.endswith("\n") else f"{text}\n")
        except (OSError, UnicodeEncodeError) as error:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"The note could not be written: {error}.") from error
        update_from_file(self._memory, EntryKind.NOTE, str(path.relative_to(self._folder)), path, known=None)

    def _read(self, name: str, path: Path, known: Fingerprint | None, changes: Changes) -> None:
        try:
            if update_from_file(self._memory, EntryKind.NOTE, name, path, known):
                changes.read.append(name)
        except AgentError as error:
            if error.code is not ErrorCode.INVALID_ARGUMENTS:
                raise
            if known:  # what it said before is no longer what it says
                self._memory.forget_file(EntryKind.NOTE, name)
            changes.refused[name] = error.message

    def _path(self, name: str) -> Path:
        """Where a note of a name lies: a model chooses names, and no name leads out of the folder."""
        path = self._folder / (name if name.endswith(SUFFIX) else f"{name}{SUFFIX}")
        parts = Path(name).parts
        if not name.strip() or "\0" in name or len(name) > 200 or any(part.startswith((".", "/")) for part in parts):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r} cannot be the name of a note.")
        if not self._within(path):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r} leads out of the folder of notes.")
        return path

    def _within(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._folder.resolve())
