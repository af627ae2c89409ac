"""The emotions the robot can show: one recorded move a file, next to this one."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reachy_agent_ros.motion.move_folder import MoveFolder
from reachy_agent_ros.motion.recorded_move import RecordedMove

_FOLDER = MoveFolder("emotion", Path(__file__).parent / "emotions")


@cache
def emotions() -> tuple[str, ...]:
    """Names of all emotions, in alphabetical order."""
    return _FOLDER.names()


def emotion(name: str) -> RecordedMove:
    """The move that shows an emotion.

    Raises:
        AgentError: `UNKNOWN_MOVE`, listing the names there are.
    """
    return _FOLDER.move(name)
