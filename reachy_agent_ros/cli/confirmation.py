"""Confirmation of commands that delete data."""

from __future__ import annotations

import sys

from reachy_agent_ros.core.errors import AgentError, ErrorCode


def require_confirmation(deletion: str, confirmed: bool) -> None:
    """Asks on the terminal whether to go on, unless the command line has already confirmed it with `--yes`.

    Args:
        deletion: What is deleted, as an imperative: "Delete dance with 3 versions".
        confirmed: Whether the option `--yes` was given.

    Raises:
        AgentError: `CANCELED`: the person declined, or there is no terminal to ask on.
    """
    if confirmed or _agrees(f"{deletion}? This cannot be undone. [y/N] "):
        return
    raise AgentError(ErrorCode.CANCELED, "Nothing was deleted. To delete without a question, add --yes.")


def _agrees(question: str) -> bool:
    if not sys.stdin.isatty():
        return False
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().casefold() in ("y", "yes")
