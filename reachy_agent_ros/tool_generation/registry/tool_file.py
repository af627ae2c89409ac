"""Where a tool's files lie."""

from __future__ import annotations

import re
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode

_NAME = re.compile(r"[a-z][a-z0-9_]{2,40}")


def tool_file(folder: Path, name: str) -> Path:
    """The only place where a tool's name becomes a path: no such name leads out of a folder.

    Raises:
        AgentError: `UNKNOWN_TOOL`: no tool can have that name.
    """
    if not _NAME.fullmatch(name):
        raise AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {name!r:.60}, and none can have that name.")
    return folder / f"{name}.json"


def tool_names(folder: Path) -> list[str]:
    """Names of the tools that have a file there, in order."""
    return sorted(path.stem for path in folder.glob("*.json") if _NAME.fullmatch(path.stem))
