"""How freely a tool may be used."""

from __future__ import annotations

from enum import IntEnum


class Tier(IntEnum):
    """Mirror of `ToolSpec`'s permissions; a greater one is stricter."""

    AUTONOMOUS = 0
    NOTIFY = 1
    CONFIRM = 2
    FORBIDDEN = 3
