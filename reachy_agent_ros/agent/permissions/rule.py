"""One rule: which calls it is about, and how freely they may be made."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from reachy_agent_ros.agent.permissions.condition import Condition
from reachy_agent_ros.agent.permissions.tier import Tier
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription


@dataclass(frozen=True)
class Rule:
    """A rule.

    Attributes:
        tools: Names, where `*` stands for any characters.
        tier: What such calls need.
        when: Conditions on arguments, all of which must hold.
        origins: Where the tool must come from.
        because: Why, for people.
    """

    tools: tuple[str, ...]
    tier: Tier
    when: Mapping[str, Condition] = field(default_factory=dict)
    origins: frozenset[Origin] = frozenset(Origin)
    because: str = ""

    def matches(self, tool: ToolDescription, arguments: Mapping[str, Any]) -> bool:
        """Whether a call falls under it.

        An argument that is left open, or cannot be compared, counts against the call: a rule that restricts applies,
        one that allows does not.
        """
        named = tool.origin in self.origins and any(fnmatchcase(tool.name, pattern) for pattern in self.tools)
        return named and all(self._holds(condition, arguments, name) for name, condition in self.when.items())

    def covers(self, pattern: str, other: Rule) -> bool:
        """Whether it takes every call that the other one could get by that pattern of its."""
        # The other's * is matched as a character, which only a * of this rule's can stand for.
        return (
            any(fnmatchcase(pattern, mine) for mine in self.tools)
            and other.origins <= self.origins
            and all(name in other.when and mine.covers(other.when[name]) for name, mine in self.when.items())
            and (not self.when or self.tier >= Tier.CONFIRM or other.tier < Tier.CONFIRM)
        )

    def __str__(self) -> str:
        conditions = [f"{name} {_words(condition)}" for name, condition in self.when.items()]
        origins = [] if self.origins == frozenset(Origin) else [" or ".join(sorted(self.origins))]
        where = " and ".join(origins + conditions)
        return f"{', '.join(self.tools)}{f' ({where})' if where else ''}: {self.tier.name.lower()}"

    def _holds(self, condition: Condition, arguments: Mapping[str, Any], name: str) -> bool:
        holds = condition.holds(arguments[name]) if name in arguments else None
        return self.tier >= Tier.CONFIRM if holds is None else holds


def _words(condition: Condition) -> str:
    if condition.one_of is not None:
        return "one of " + ", ".join(map(str, condition.one_of))
    ends = condition.model_dump(exclude_none=True)
    return " and ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in ends.items() if math.isfinite(value))
