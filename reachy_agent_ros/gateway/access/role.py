"""What a caller may do."""

from __future__ import annotations

from enum import IntEnum


class Role(IntEnum):
    """Each may do what the ones before it may."""

    OBSERVER = 0
    """Looks and listens; and stops the robot, as everybody may."""
    CALLER = 1
    """Talks to the robot and calls its tools; decides nothing that the robot asks."""
    OPERATOR = 2
    """Also judges it, and answers what the robot asks."""
    ADMINISTRATOR = 3
    """Changes what it can do and what it keeps: tools, policies, memory."""
