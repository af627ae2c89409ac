"""What a caller may do."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """Each may do what the ones before it may."""

    OBSERVER = 0
    """Looks and listens; and stops the robot, as everybody may."""
    OPERATOR = 1
    """Talks to the robot, moves it, judges it and decides what it asks."""
    ADMINISTRATOR = 2
    """Changes what it can do and what it keeps: tools, policies, memory."""
