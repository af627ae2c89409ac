"""Lookup of long identifiers by prefix."""

from __future__ import annotations

from collections.abc import Mapping

from reachy_agent_ros.core.errors import AgentError, ErrorCode

SHOWN = 8
"""Length of displayed identifiers, characters: enough to distinguish a few."""


def by_beginning(names: Mapping[str, str], beginning: str, kind: str) -> str:
    """Returns the identifier with a given prefix. Exactly one identifier must have this prefix.

    Args:
        names: Displayed names by identifier.
        beginning: Prefix of any length; empty if there is only one identifier.
        kind: Kind of the identified objects for error messages, for example "grant".


    Raises:
        AgentError: `NOT_FOUND`, or `INVALID_ARGUMENTS` if there are several, which the message lists.
    """
    found = [identifier for identifier in names if identifier.startswith(beginning.lower())]
    if len(found) == 1:
        return found[0]
    what = f"{kind} that begins with {beginning!r:.50}" if beginning else kind
    if not found:
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no {what}.")
    several = ", ".join(f"{identifier[:SHOWN]} ({names[identifier]})" for identifier in found)
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"There is more than one {what}: {several}.")
