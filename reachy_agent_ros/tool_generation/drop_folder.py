"""Drop folder, in which users save their own tools. These tools are verified like all generated tools."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.core.contained_file import read_inside
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.verification.case import Case, read_cases

LARGEST_SOURCE = 256 << 10
"""Maximum number of bytes that are read. The text gate allows far fewer and reports its limit."""

LARGEST_CASES = 256 << 10
"""Maximum size of a file with test cases, bytes."""

CASES_SUFFIX = ".cases.json"

Admit = Callable[[bytes, Sequence[Case]], str]
"""Function that verifies and registers a source with its test cases. Returns a message; raises `AgentError`."""

_Stamp = tuple[tuple[int, int, int] | None, ...]


@dataclass(frozen=True)
class Dropped:
    """Result of handling a file in the drop folder.

    Attributes:
        path: Path of the file.
        message: Description of the result, for people.
        error: Reason why the file was rejected; None if it was accepted.
    """

    path: Path
    message: str
    error: AgentError | None = None


class DropFolder:
    """Folder that is checked for new and changed tools when `poll` is called.

    Args:
        path: Path of the folder, which need not exist.
        admit: Handles a new or changed file.
        holds: Returns whether a source with this SHA-256 was accepted before, and need not be verified after a restart.
        pattern: Glob pattern of tools in the folder, as for `Path.glob`.
    """

    def __init__(
        self,
        path: Path,
        admit: Admit,
        holds: Callable[[str], bool] = lambda _digest: False,
        pattern: str = "*.py",
    ) -> None:
        self._path = path
        self._pattern = pattern
        self._admit = admit
        self._holds = holds
        self._seen: Mapping[Path, _Stamp] = {}
        self._done: dict[Path, _Stamp] = {}

    def poll(self) -> list[Dropped]:
        """Handles each file that is new or has changed, if nothing was written to it since the previous poll.

        Returns:
            One result per handled file, except for files that were accepted before this start.

        Raises:
            AgentError: `STORAGE_FAILED`: the folder cannot be read.
        """
        before, self._seen = self._seen, self._look()
        self._done = {path: stamp for path, stamp in self._done.items() if path in self._seen}
        settled = [path for path, stamp in self._seen.items() if before.get(path) == stamp != self._done.get(path)]
        found = [self._take(path, first=path not in self._done) for path in settled]
        self._done.update({path: self._seen[path] for path in settled})
        return [dropped for dropped in found if dropped is not None]

    def _look(self) -> dict[Path, _Stamp]:
        try:
            sources = sorted(self._path.glob(self._pattern)) if self._path.is_dir() else []
            return {path: (_stamp(path), _stamp(_cases_of(path))) for path in sources}
        except OSError as error:
            message = f"Cannot read the folder {self._path}: {error.strerror}."
            raise AgentError(ErrorCode.STORAGE_FAILED, message) from error

    def _take(self, path: Path, first: bool) -> Dropped | None:
        try:
            source = self._read(path, LARGEST_SOURCE)
            if first and self._holds(hashlib.sha256(source).hexdigest()):
                return None
            return Dropped(path, self._admit(source, self._cases(_cases_of(path))))
        except AgentError as error:
            return Dropped(path, error.message, error)

    def _cases(self, path: Path) -> Sequence[Case]:
        if not os.path.lexists(path):
            return ()
        try:
            return read_cases(self._read(path, LARGEST_CASES).decode())
        except UnicodeDecodeError:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} is not UTF-8 text.") from None

    def _read(self, path: Path, largest: int) -> bytes:
        """Reads a file in the folder.

        Links are rejected, because the log could otherwise reveal the first line of any file.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the path is not a file, is a link, or is too large.
        """
        content = read_inside(self._path, path, largest)
        if len(content) > largest:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path} has more than {largest >> 10} KiB.")
        return content


def _cases_of(path: Path) -> Path:
    return path.with_name(f"{path.stem}{CASES_SUFFIX}")


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.lstat()
    except FileNotFoundError:
        return None
    return (status.st_mtime_ns, status.st_size, status.st_ino)
