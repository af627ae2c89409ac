"""Notes in a folder of Markdown files that both the user and the agent can edit."""

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
"""Maximum length of a note that the agent writes, characters. People may write longer notes."""


def notes_folder() -> Path:
    """Returns the notes folder in the state directory."""
    return state_directory() / "notes"


@dataclass
class Changes:
    """Changes in the notes folder since the last synchronization.

    Attributes:
        read: New and changed files.
        forgotten: Deleted files, whose passages were removed from the memory.
        refused: Files that cannot be read, each with the reason.
    """

    read: list[str] = field(default_factory=list)
    forgotten: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)


class Notes:
    """Folder of notes, whose passages are also stored in the memory for searching.

    Args:
        memory: Memory that holds the passages.
        folder: Folder of the notes, created if necessary. Names may contain subfolders ("people/maria").
    """

    def __init__(self, memory: Memory, folder: Path) -> None:
        self._memory = memory
        self._folder = folder
        # A synchronization that started before a note was written would treat the new note as a deleted file.
        self._lock = threading.Lock()

    def synchronize(self) -> Changes:
        """Updates the memory from the notes folder. Call it before a search; it is fast if nothing has changed.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        with self._lock:
            return self._synchronized()

    def _synchronized(self) -> Changes:
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
        """Creates or replaces a note. When the function returns, the note is on disk and searchable.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the name is invalid, or the text is empty or too long; `STORAGE_FAILED`.
        """
        with self._lock:
            self._put(self._path(name), text)

    def add(self, name: str, text: str) -> None:
        """Appends a paragraph to a new or existing note. When the function returns, the note is on disk and searchable.

        Raises:
            AgentError: See `write`.
        """
        with self._lock:
            path = self._path(name)
            before = self.read(name).rstrip() if path.exists() else ""
            self._put(path, f"{before}\n\n{text.strip()}" if before and text.strip() else text)

    def read(self, name: str) -> str:
        """Returns the text of a note.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the name is invalid; `NOT_FOUND`; `STORAGE_FAILED`.
        """
        try:
            return self._path(name).read_text("utf-8-sig")
        except FileNotFoundError:
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no note {name!r}.") from None
        except (OSError, UnicodeDecodeError) as error:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"The note could not be read: {error}.") from error

    def delete(self, name: str) -> Forgotten:
        """Deletes a note's file and its passages in the memory.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the name is invalid; `NOT_FOUND`; `STORAGE_FAILED`.
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
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Invalid note: expected some text.")
        if len(text) > LONGEST_NOTE:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"Invalid note: expected at most {LONGEST_NOTE} characters.")
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
            if known:  # the passages in the memory are outdated
                self._memory.forget_file(EntryKind.NOTE, name)
            changes.refused[name] = error.message

    def _path(self, name: str) -> Path:
        """Returns the path of a note. Rejects names outside the folder, because a model chooses the names."""
        path = self._folder / (name if name.endswith(SUFFIX) else f"{name}{SUFFIX}")
        parts = Path(name).parts
        if not name.strip() or "\0" in name or len(name) > 200 or any(part.startswith((".", "/")) for part in parts):
            message = f"Invalid note name {name!r}: expected a relative path, at most 200 characters, no leading dot."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if not self._within(path):
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{name!r} is outside the notes folder.")
        return path

    def _within(self, path: Path) -> bool:
        return path.resolve().is_relative_to(self._folder.resolve())
