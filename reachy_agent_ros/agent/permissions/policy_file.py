"""Reads a policy from a file that a person edits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, StringConstraints, model_validator

from reachy_agent_ros.agent.permissions.condition import Condition
from reachy_agent_ros.agent.permissions.policy import Policy, unreachable
from reachy_agent_ros.agent.permissions.rule import Rule
from reachy_agent_ros.agent.permissions.tier import Tier
from reachy_agent_ros.core.configuration import configuration_file
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.strict_yaml import StrictForm, read_form
from reachy_agent_ros.tools.protocol.tools import Origin

TEMPLATES = ("careful", "standard", "trusting")
"""Policies that are shipped, the strictest first."""

DEFAULT_TEMPLATE = "standard"
"""Where a person wrote none."""

LARGEST_FILE = 1_000_000
"""Bytes; a person's file is a thousandth of that."""

_CONSEQUENCE = "The permissions are not applied"
_TierName = Literal["autonomous", "notify", "confirm", "forbidden"]
_OriginName = Literal["predefined", "generated", "external"]
_Pattern = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_.*-]+$")]


def load_policy(path: Path) -> Policy:
    """The policy of a person's file, or the standard template where there is no file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming what is wrong with the file; nothing of it applies then.
    """
    return read_policy(path) if path.exists() else template(DEFAULT_TEMPLATE)


def template(name: str) -> Policy:
    """A policy that is shipped.

    Args:
        name: One of `TEMPLATES`.
    """
    return read_policy(configuration_file(f"permissions/{name}.yaml"))


def read_policy(path: Path) -> Policy:
    """Reads a file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming what is wrong with it.
    """
    written = read_form(path, _File, LARGEST_FILE, _CONSEQUENCE)
    rules = tuple(one.rule() for one in written.rules)
    for rule, pattern, earlier in unreachable(rules):
        raise _wrong(path, f"the rule '{rule}' is never reached for {pattern}, because '{earlier}' stands before it")
    if written.extends is not None:
        base = template(written.extends)
        return Policy(rules + base.rules, base.default)
    return Policy(rules, Tier[str(written.default).upper()])


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


class _Rule(StrictForm):
    tools: Annotated[list[_Pattern], BeforeValidator(_listed), Field(min_length=1)]
    tier: _TierName
    when: dict[str, Condition] = Field(default_factory=dict)
    origin: Annotated[list[_OriginName], BeforeValidator(_listed), Field(min_length=1)] | None = None
    because: str = ""

    def rule(self) -> Rule:
        origins = frozenset(Origin) if self.origin is None else frozenset(map(Origin, self.origin))
        return Rule(tuple(self.tools), Tier[self.tier.upper()], self.when, origins, self.because)


class _File(StrictForm):
    extends: Literal["careful", "standard", "trusting"] | None = None
    default: _TierName | None = None
    rules: list[_Rule] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_end(self) -> _File:
        if (self.extends is None) == (self.default is None):
            raise ValueError("it needs either 'extends' with a template, or a 'default' tier")
        return self


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{_CONSEQUENCE}: {path}: {complaint}.")
