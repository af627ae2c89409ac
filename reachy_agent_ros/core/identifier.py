"""Long identifiers as people type them: by their beginning."""

from __future__ import annotations

from collections.abc import Mapping

from reachy_agent_ros.core.errors import AgentError, ErrorCode

SHOWN = 8
"""Characters of an identifier that people see: enough to tell a handful apart."""


def by_beginning(names: Mapping[str, str], beginning: str, kind: str) -> str:
    """The one identifier that begins so.

    Args:
        names: What people call the things there are, by their identifiers.
        beginning: Any number of characters; empty for the only one there is.
        kind: What they are, for people: "grant".

    Raises:
        AgentError: `NOT_FOUND`; `INVALID_ARGUMENTS` where several do, which are named then.
    """
    found = [identifier for identifier in names if identifier.startswith(beginning.lower())]
    if len(found) == 1:
        return found[0]
    what = f"{kind} that begins with {beginning!r:.50}" if beginning else kind
    if not found:
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no {what}.")
    several = ", ".join(f"{identifier[:SHOWN]} ({names[identifier]})" for identifier in found)
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is more than one {what}: {several}.")
