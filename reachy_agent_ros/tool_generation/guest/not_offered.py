"""What a library has and a tool has not."""

from __future__ import annotations

from collections.abc import Iterable


def not_offered(owner: str, name: str, offered: Iterable[str]) -> AttributeError:
    """The error for a name that a tool cannot use; it tells which it can."""
    return AttributeError(f"{owner}.{name} is not offered in a tool; offered are: {', '.join(sorted(offered))}")


def public(owner: type) -> list[str]:
    """The public names of a class."""
    return [name for name in dir(owner) if not name.startswith("_")]
