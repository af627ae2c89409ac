"""Detection of secrets in URLs, and removal of keys from server responses."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl, urlsplit

from reachy_agent_ros.core.errors import AgentError, ErrorCode

SHORTEST_KEY = 8
"""Minimum length of a key to remove, characters: a shorter one protects nothing and may be part of a word."""

_SECRET = re.compile(r"pass(word|wd|code|phrase)|token|secret|api_?key|credential", re.IGNORECASE)


def holds_secret(address: str) -> bool:
    """Returns whether a URL contains a password or a query field with a name like `token`.

    Returns False for a text without `://`. A URL that cannot be parsed counts as secret if it contains `@`.
    """
    if "://" not in address:
        return False
    try:
        parts = urlsplit(address)
    except ValueError:  # for example an unclosed bracket
        return "@" in address
    fields = (name for name, _ in parse_qsl(parts.query))
    return bool(parts.password) or any(_SECRET.search(name) for name in fields)


def require_no_secret(name: str, value: str) -> None:
    """Raises an error if an argument or parameter contains a secret. The message does not repeat the secret.

    Args:
        name: Name of the argument.
        value: Value of the argument.

    Raises:
        AgentError: `INVALID_ARGUMENTS` if the value contains a secret.
    """
    if holds_secret(value):
        reason = (
            f"{name} contains a password or key, which every program on this machine could read. Put a password for "
            "PostgreSQL into ~/.pgpass, and the key of a model into the environment variable named in models.yaml."
        )
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, reason)


def without_key(said: str, authorization: str) -> str:
    """Removes the key from a server's response, because some servers repeat the key of a request that they reject.

    Args:
        said: Complete response. A truncated key would not be found.
        authorization: Authorization header of the request, `Bearer KEY`; empty for none.
    """
    key = authorization.removeprefix("Bearer ")
    return said.replace(key, "***") if len(key) >= SHORTEST_KEY else said
