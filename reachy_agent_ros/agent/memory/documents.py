"""Documents that somebody gave to be searched."""

from __future__ import annotations

from pathlib import Path

from reachy_agent_ros.agent.memory.entry import Kind
from reachy_agent_ros.agent.memory.entry_store import Forgotten
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.agent.memory.text_file import update_from_file
from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Documents:
    """Text and Markdown files whose passages are found with file, heading and lines.

    Args:
        memory: Where the passages are.
    """

    def __init__(self, memory: Memory) -> None:
        self._memory = memory

    def add(self, path: Path) -> bool:
        """Reads a file, or reads it again where it has changed.

        Returns:
            Whether it was new or had changed.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: it is no text, too large or cannot be read; `STORAGE_FAILED`.
        """
        path = path.expanduser().absolute()
        known = self._memory.files(Kind.DOCUMENT).get(str(path))
        return update_from_file(self._memory, Kind.DOCUMENT, str(path), path, known)

    def listed(self) -> list[Path]:
        """Files that were read.

        Raises:
            AgentError: `STORAGE_FAILED`.
        """
        return sorted(map(Path, self._memory.files(Kind.DOCUMENT)))

    def forget(self, path: Path) -> Forgotten:
        """Forgets what was read of a file; the file is not touched.

        Raises:
            AgentError: `NOT_FOUND`: it was not read; `STORAGE_FAILED`.
        """
        key = str(path.expanduser().absolute())
        if key not in self._memory.files(Kind.DOCUMENT):
            raise AgentError(ErrorCode.NOT_FOUND, f"{key} is not among the documents.")
        return self._memory.forget_file(Kind.DOCUMENT, key)
