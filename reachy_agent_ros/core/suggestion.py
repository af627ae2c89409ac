"""Suggestion of the most similar known name, for error messages about unknown names."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Returns " Did you mean X?" with the most similar known name, or an empty text if no name is similar."""
    closest = get_close_matches(name, list(known), n=1)
    return f" Did you mean {closest[0]}?" if closest else ""
