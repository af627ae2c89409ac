"""Emotions, which are recorded moves. The folder `emotions` contains one file for each emotion."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from reachy_agent_ros.motion.move_folder import MoveFolder
from reachy_agent_ros.motion.recorded_move import RecordedMove

_FOLDER = MoveFolder("emotion", Path(__file__).parent / "emotions")


@cache
def emotions() -> tuple[str, ...]:
    """Returns the names of all emotions, in alphabetical order."""
    return _FOLDER.names()


def emotion(name: str) -> RecordedMove:
    """Returns the move that shows an emotion.

    Raises:
        AgentError: `UNKNOWN_MOVE`, with the known names.
    """
    return _FOLDER.move(name)
