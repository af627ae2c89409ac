"""An ordered list of rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.agent.permissions.rule import Rule
from reachy_agent_ros.agent.permissions.tier import Tier
from reachy_agent_ros.tools.protocol.tools import ToolDescription


@dataclass(frozen=True)
class Policy:
    """The first rule that matches decides, as in a firewall.

    The strictest of all that match would need no order, but could not say "everything needs a yes, except looking
    around"; and with one deciding rule every verdict can name its reason. A rule that can never be the first is an
    error, so a wrong order is found when the file is read.

    Attributes:
        rules: In order.
        default: Where none matches.
    """

    rules: tuple[Rule, ...]
    default: Tier

    def rule_for(self, tool: ToolDescription, arguments: Mapping[str, Any]) -> Rule:
        """The rule that decides a call; where none matches, one made of the default."""
        for rule in self.rules:
            if rule.matches(tool, arguments):
                return rule
        return Rule(("*",), self.default, because="no other rule is about it")

    def idle(self, tools: Sequence[ToolDescription]) -> list[Rule]:
        """Rules about none of these tools, or about arguments none of them has: perhaps a name is misspelt."""
        return [rule for rule in self.rules if not any(_concerns(rule, tool) for tool in tools)]


def unreachable(rules: Sequence[Rule]) -> Iterator[tuple[Rule, str, Rule]]:
    """Rules that can never decide: each with its pattern that is dead, and the earlier rule that takes all of it.

    Several earlier rules that take it only together are not found.
    """
    for index, rule in enumerate(rules):
        for pattern in rule.tools:
            earlier = next((one for one in rules[:index] if one.covers(pattern, rule)), None)
            if earlier is not None:
                yield rule, pattern, earlier


def _concerns(rule: Rule, tool: ToolDescription) -> bool:
    arguments = tool.schema.get("properties", {})
    named = Rule(rule.tools, rule.tier, origins=rule.origins).matches(tool, {})
    return named and all(name in arguments for name in rule.when)
