"""Permission policy, an ordered list of rules, and the file in which users write the rules."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, model_validator

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

TEMPLATES = ("careful", "standard", "trusting")
"""Policies that are part of this package, strictest first."""

_DEFAULT_TEMPLATE = "standard"
"""Policy that applies if there is no policy file."""

_LARGEST_FILE = 1_000_000
"""Maximum size of a policy file, bytes. A handwritten file has about a thousandth of this size."""


class PermissionTier(IntEnum):
    """Permission level of a tool call; mirrors the permissions in `ToolSpec`. Higher values are stricter."""

    AUTONOMOUS = 0
    NOTIFY = 1
    CONFIRM = 2
    FORBIDDEN = 3


class Condition(BaseModel):
    """Condition on one argument: a range of numbers or a list of values.

    Attributes:
        above: Exclusive lower bound.
        at_least: Inclusive lower bound.
        below: Exclusive upper bound.
        at_most: Inclusive upper bound.
        one_of: Allowed values.
    """

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)

    above: float | None = None
    at_least: float | None = None
    below: float | None = None
    at_most: float | None = None
    one_of: list[str | bool | float] | None = None

    @model_validator(mode="after")
    def _sensible(self) -> Condition:
        if self.one_of is not None and self.model_fields_set != {"one_of"}:
            raise ValueError("one_of cannot be combined with other conditions")
        if self.one_of == [] or not self.model_fields_set or (self.one_of is None and self._empty()):
            raise ValueError("no value can meet this condition")
        return self

    def holds(self, value: Any) -> bool | None:
        """Returns whether a value meets the condition; None if the condition is a range and the value not a number."""
        if self.one_of is not None:
            # True equals 1 in Python, but must not in a rule.
            return any(value == one and isinstance(value, bool) == isinstance(one, bool) for one in self.one_of)
        if isinstance(value, bool) or not isinstance(value, int | float):
            return None
        (low, low_open), (high, high_open) = self._low(), self._high()
        return (low < value or (low == value and not low_open)) and (value < high or (value == high and not high_open))

    def covers(self, other: Condition) -> bool:
        """Returns whether every value that meets the condition `other` also meets this condition."""
        if other.one_of is not None:
            return all(self.holds(value) is True for value in other.one_of)
        return self.one_of is None and self._low() <= other._low() and other._high() <= self._high()

    def _low(self) -> tuple[float, int]:
        """Returns the lower bound for comparisons: the number, and 1 if the bound is exclusive or 0 if inclusive.

        An exclusive bound is therefore greater than an equal inclusive bound.
        """
        return max(
            (-math.inf if self.at_least is None else self.at_least, 0),
            (-math.inf if self.above is None else self.above, 1),
        )

    def _high(self) -> tuple[float, int]:
        """Returns the upper bound for comparisons: the number, and -1 if the bound is exclusive or 0 if inclusive.

        An exclusive bound is therefore smaller than an equal inclusive bound.
        """
        return min(
            (math.inf if self.at_most is None else self.at_most, 0),
            (math.inf if self.below is None else self.below, -1),
        )

    def _empty(self) -> bool:
        (low, low_open), (high, high_open) = self._low(), self._high()
        return low > high or (low == high and bool(low_open or high_open))


@dataclass(frozen=True)
class PermissionRule:
    """Rule that assigns a permission tier to matching calls.

    Attributes:
        tools: Names of tools, where `*` stands for any characters.
        tier: Permission tier of matching calls.
        when: Conditions on arguments, all of which must hold.
        origins: Origins of tools that the rule matches.
        because: Reason for the rule, for people.
    """

    tools: tuple[str, ...]
    tier: PermissionTier
    when: Mapping[str, Condition] = field(default_factory=dict)
    origins: frozenset[ToolOrigin] = frozenset(ToolOrigin)
    because: str = ""

    def matches(self, tool: ToolDescription, arguments: Mapping[str, Any]) -> bool:
        """Returns whether the rule matches a call.

        A missing argument, or one that cannot be compared, counts against the call: a restrictive rule applies, but
        a permissive rule does not.
        """
        return self.names(tool) and all(
            self._holds(condition, arguments, name) for name, condition in self.when.items()
        )

    def names(self, tool: ToolDescription) -> bool:
        """Returns whether the rule matches the name and the origin of a tool, regardless of arguments."""
        return tool.origin in self.origins and any(fnmatchcase(tool.name, pattern) for pattern in self.tools)

    def covers(self, pattern: str, other: PermissionRule) -> bool:
        """Returns whether this rule matches every call that the pattern `pattern` of the rule `other` could match."""
        # The * of the other pattern is matched as a character, which matches only a * in this rule's patterns.
        return (
            any(fnmatchcase(pattern, mine) for mine in self.tools)
            and other.origins <= self.origins
            and all(name in other.when and mine.covers(other.when[name]) for name, mine in self.when.items())
            and (not self.when or self.tier >= PermissionTier.CONFIRM or other.tier < PermissionTier.CONFIRM)
        )

    @property
    def conditions(self) -> list[str]:
        """Descriptions of the conditions on arguments, such as "duration_s below 0.5"."""
        return [f"{name} {_words(condition)}" for name, condition in self.when.items()]

    def __str__(self) -> str:
        origins = [] if self.origins == frozenset(ToolOrigin) else [" or ".join(sorted(self.origins))]
        where = " and ".join(origins + self.conditions)
        return f"{', '.join(self.tools)}{f' ({where})' if where else ''}: {self.tier.name.lower()}"

    def _holds(self, condition: Condition, arguments: Mapping[str, Any], name: str) -> bool:
        holds = condition.holds(arguments[name]) if name in arguments else None
        return self.tier >= PermissionTier.CONFIRM if holds is None else holds


def _words(condition: Condition) -> str:
    if condition.one_of is not None:
        return "one of " + ", ".join(map(str, condition.one_of))
    ends = condition.model_dump(exclude_none=True)
    return " and ".join(f"{name.replace('_', ' ')} {value:g}" for name, value in ends.items() if math.isfinite(value))


@dataclass(frozen=True)
class Policy:
    """Ordered list of permission rules. As in a firewall, the first matching rule decides.

    If the strictest match decided, the order would not matter, but "everything needs approval, except looking around"
    could not be expressed. A single deciding rule also gives every verdict a reason. A tool pattern that an earlier
    rule of the same file covers is an error, so that a wrong order is detected when the file is read.

    Attributes:
        rules: Rules in the order in which they are tried.
        default: Tier of calls that no rule matches.
    """

    rules: tuple[PermissionRule, ...]
    default: PermissionTier

    def rule_for(self, tool: ToolDescription, arguments: Mapping[str, Any]) -> PermissionRule:
        """Returns the first rule that matches a call, or a rule with the default tier."""
        return next(rule for rule in self.rules_for(tool) if rule.matches(tool, arguments))

    def rules_for(self, tool: ToolDescription) -> Iterator[PermissionRule]:
        """Yields the rules that may decide calls of a tool, in order. The last one has no conditions."""
        for rule in self.rules:
            if rule.names(tool):
                yield rule
                if not rule.when:
                    return
        yield PermissionRule(("*",), self.default, because="no other rule matches it")

    @property
    def tools(self) -> list[str]:
        """Names and patterns of tools in the rules."""
        return [pattern for rule in self.rules for pattern in rule.tools]

    def idle(self, tools: Sequence[ToolDescription]) -> list[PermissionRule]:
        """Returns the rules that match no tool in `tools` or only tools without an argument of their conditions.

        A name in the rule may be misspelled.
        """
        return [rule for rule in self.rules if not any(_concerns(rule, tool) for tool in tools)]


def unreachable(rules: Sequence[PermissionRule]) -> Iterator[tuple[PermissionRule, str, PermissionRule]]:
    """Yields each rule with a pattern that can never apply, that pattern, and the earlier rule that covers it.

    A pattern that is unreachable only because of several earlier rules together is not detected.
    """
    for index, rule in enumerate(rules):
        for pattern in rule.tools:
            earlier = next((one for one in rules[:index] if one.covers(pattern, rule)), None)
            if earlier is not None:
                yield rule, pattern, earlier


def _concerns(rule: PermissionRule, tool: ToolDescription) -> bool:
    arguments = tool.schema.get("properties", {})
    return rule.names(tool) and all(name in arguments for name in rule.when)


_CONSEQUENCE = "The permissions are not applied"
_TierName = Literal["autonomous", "notify", "confirm", "forbidden"]
_OriginName = Literal["predefined", "generated", "external"]
_Pattern = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.*-]+$")]


def load_policy(path: Path) -> Policy:
    """Reads the policy file. Returns the standard template if the file does not exist.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is invalid, and no part of it applies. The message names the problem.
    """
    return read_policy(path) if path.exists() else template(_DEFAULT_TEMPLATE)


def template(name: str) -> Policy:
    """Reads one of the policy templates of this package.

    Args:
        name: One of `TEMPLATES`.
    """
    return read_policy(configuration_file(f"permissions/{name}.yaml"))


def read_policy(path: Path) -> Policy:
    """Reads a policy from a file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file is invalid. The message names the problem.
    """
    written = read_form(path, _File, _LARGEST_FILE, _CONSEQUENCE)
    rules = tuple(one.rule() for one in written.rules)
    for rule, pattern, earlier in unreachable(rules):
        complaint = f"the rule '{rule}' is never reached for {pattern}, because '{earlier}' precedes it"
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{_CONSEQUENCE}: {path}: {complaint}.")
    if written.extends is not None:
        base = template(written.extends)
        return Policy(rules + base.rules, base.default)
    return Policy(rules, PermissionTier[str(written.default).upper()])


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


class _Rule(StrictForm):
    tools: Annotated[list[_Pattern], BeforeValidator(_listed), Field(min_length=1)]
    tier: _TierName
    when: dict[str, Condition] = Field(default_factory=dict)
    origin: Annotated[list[_OriginName], BeforeValidator(_listed), Field(min_length=1)] | None = None
    because: str = ""

    def rule(self) -> PermissionRule:
        origins = frozenset(ToolOrigin) if self.origin is None else frozenset(map(ToolOrigin, self.origin))
        return PermissionRule(tuple(self.tools), PermissionTier[self.tier.upper()], self.when, origins, self.because)


class _File(StrictForm):
    extends: Literal["careful", "standard", "trusting"] | None = None
    default: _TierName | None = None
    rules: list[_Rule] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_end(self) -> _File:
        if (self.extends is None) == (self.default is None):
            raise ValueError("expected either 'extends' with the name of a template, or a 'default' tier")
        return self
