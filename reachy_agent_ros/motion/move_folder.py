"""Named moves: the recorded moves of a folder, one a file."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.move_file import load_recorded_move
from reachy_agent_ros.motion.recorded_move import RecordedMove


class MoveFolder:
    """Reads its folder each time it is asked: a file put there can be played at once.

    A name only ever selects one of the files found, so none leads out of the folder.

    Args:
        kind: What its moves are called, for people.
        path: The folder; it need not exist.
    """

    def __init__(self, kind: str, path: Path) -> None:
        self._kind = kind
        self._path = path

    def names(self) -> tuple[str, ...]:
        """Names of all moves, in alphabetical order: the files' names without `.json`."""
        return tuple(sorted(path.stem for path in self._path.glob("*.json") if path.is_file()))

    def move(self, name: str) -> RecordedMove:
        """The move of a name.

        Raises:
            AgentError: `UNKNOWN_MOVE`, listing the names there are; what `load_recorded_move` raises.
        """
        names = self.names()
        if name not in names:
            there_are = f"There are: {', '.join(names)}." if names else f"There are none in {self._path}."
            raise AgentError(ErrorCode.UNKNOWN_MOVE, f"There is no {self._kind} {name!r}. {there_are}")
        path = self._path / f"{name}.json"
        try:
            return _loaded(path, path.stat().st_mtime_ns)
        except OSError as error:
            raise AgentError(
                ErrorCode.UNKNOWN_MOVE, f"The {self._kind} {name!r} cannot be read: {error.strerror}."
            ) from error


@lru_cache(maxsize=64)
def _loaded(path: Path, _changed: int) -> RecordedMove:
    """A file as it was at a moment; a long one takes some tenths of a second."""
    return load_recorded_move(path)
