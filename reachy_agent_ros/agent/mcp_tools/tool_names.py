"""Names for the tools of other servers: valid for every model, and such that none can take another's place."""

from __future__ import annotations

import hashlib
import re

LONGEST_NAME = 64
"""Characters, which OpenAI-compatible endpoints take at most."""

_INVALID = re.compile(r"[^A-Za-z0-9_-]")
_MARK = 8


def tool_name(server: str, tool: str) -> str:
    """A name for a tool of a server.

    What cannot be said in a valid name is replaced, and a digest of the server's own name then keeps it apart from
    every other: permissions are given to names, and a server must not get those of a tool by listing one that is
    called almost the same.

    Args:
        server: Its name, without underscores.
        tool: The server's own name of the tool.
    """
    name = f"{server}_{_INVALID.sub('_', tool)}"
    if name == f"{server}_{tool}" and tool and len(name) <= LONGEST_NAME:
        return name
    digest = hashlib.sha256(tool.encode("utf-8", "surrogatepass")).hexdigest()[:_MARK]
    return f"{name[: LONGEST_NAME - _MARK - 1]}-{digest}"
