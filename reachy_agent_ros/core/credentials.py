"""Secrets where others can read them: in addresses, and in what a server says of the key that it was shown."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from reachy_agent_ros.core.errors import AgentError, ErrorCode

SHORTEST_KEY = 8
"""Characters; what is shorter protects nothing, and taking it out would spoil the sentence."""

_SECRET = re.compile(r"pass(word|wd|code|phrase)|token|secret|api_?key|credential", re.IGNORECASE)


def holds_secret(address: str) -> bool:
    """Whether a URL holds a password, or a field of its query that is called like a secret; false for other text."""
    if "://" not in address:
        return False
    try:
        parts = urlsplit(address)
    except ValueError:  # as a bracket that is not closed
        return "@" in address
    fields = (name for name, _ in parse_qsl(parts.query))
    return bool(parts.password) or any(_SECRET.search(name) for name in fields)


def require_no_secret(name: str, value: str) -> None:
    """Refuses a secret in an argument or a parameter; the sentence does not repeat it.

    Args:
        name: Of the argument.
        value: Of it.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    if holds_secret(value):
        reason = (
            f"{name} holds a password or a key, which every program of this machine could read there. PostgreSQL finds "
            "its password in ~/.pgpass, a model's key stands in the variable that models.yaml names."
        )
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)


def without_key(said: str, authorization: str) -> str:
    """What a server said, without the key of the request: some repeat it where they refuse it.

    Args:
        said: All of it; a key that was cut in two is not found.
        authorization: Header of the request, `Bearer KEY`; empty for none.
    """
    key = authorization.removeprefix("Bearer ")
    return said.replace(key, "***") if len(key) >= SHORTEST_KEY else said
