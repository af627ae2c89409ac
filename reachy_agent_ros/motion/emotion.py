"""The emotions the robot can show: one recorded move a file, next to this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.recorded_move import RecordedMove, load_recorded_move

_FOLDER = Path(__file__).parent / "emotions"


@cache
def emotions() -> tuple[str, ...]:
    """Names of all emotions, in alphabetical order."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


@cache
def emotion(name: str) -> RecordedMove:
    """The move that shows an emotion.

    Raises:
        AgentError: `UNKNOWN_MOVE`, listing the names there are.
    """
    if name not in emotions():
        raise AgentError(ErrorCode.UNKNOWN_MOVE, f"no emotion {name!r}: there are {', '.join(emotions())}")
    return load_recorded_move(_FOLDER / f"{name}.json")
