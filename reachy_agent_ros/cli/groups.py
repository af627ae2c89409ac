"""Groups of commands in the help of `reachy-agent`."""

from __future__ import annotations

from enum import StrEnum


class Group(StrEnum):
    """Group of commands. The help lists the groups in this order."""

    RUN = "Run"
    TALK = "Talk"
    INSPECT = "Inspect"
    MANAGE = "Manage"
    TEACH = "Teach"
    FILES = "Files"
    DEVELOPERS = "Developers"
