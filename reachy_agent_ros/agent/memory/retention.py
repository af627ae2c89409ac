"""How long what sort of memory is kept."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from reachy_agent_ros.agent.memory.entry import Kind
from reachy_agent_ros.agent.memory.memory import Memory
from reachy_agent_ros.core.errors import AgentError, ErrorCode

_YEAR = 365.25 * 86400.0


@dataclass(frozen=True)
class Retention:
    """How long one sort of entry is kept.

    Attributes:
        longest: Seconds; None for ever.
        most: Entries, the newest; None any number.
    """

    longest: float | None = None
    most: int | None = None


DEFAULT_RETENTION: Mapping[Kind, Retention] = {
    Kind.FACT: Retention(most=2_000),
    Kind.EPISODE: Retention(longest=2 * _YEAR, most=20_000),
}
"""Notes and documents last as long as their files."""


def apply_retention(memory: Memory, rules: Mapping[Kind, Retention], now: float) -> int:
    """Forgets what has been kept long enough.

    Args:
        memory: Where to forget.
        rules: By kind; a kind without one is kept.
        now: Seconds since 1970.

    Returns:
        Entries forgotten.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: a rule for notes or documents, which their files decide; `STORAGE_FAILED`.
    """
    if not rules.keys() <= {Kind.FACT, Kind.EPISODE}:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "Notes and documents are kept as long as their files are.")
    forgotten = 0
    for kind, rule in rules.items():
        before = -sys.float_info.max if rule.longest is None else now - rule.longest
        forgotten += memory.forget_outdated(kind, before, -1 if rule.most is None else rule.most).count
    return forgotten
