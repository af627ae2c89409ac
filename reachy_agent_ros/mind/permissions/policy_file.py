"""Reads a policy from a file that a person edits."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints, ValidationError, model_validator

from reachy_agent_ros.core.configuration import configuration_file
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.strict_yaml import read_yaml
from reachy_agent_ros.mind.permissions.condition import Condition
from reachy_agent_ros.mind.permissions.policy import Policy, unreachable
from reachy_agent_ros.mind.permissions.rule import Rule
from reachy_agent_ros.mind.permissions.tier import Tier
from reachy_agent_ros.mind.toolbox.tools import Origin

TEMPLATES = ("careful", "standard", "trusting")
"""Policies that are shipped, the strictest first."""

DEFAULT_TEMPLATE = "standard"
"""Where a person wrote none."""

LARGEST_FILE = 1_000_000
"""Characters; a person's file is a thousandth of that."""

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
    try:
        text = path.read_text(encoding="utf-8")
        if len(text) > LARGEST_FILE:
            raise _wrong(path, f"it is longer than {LARGEST_FILE} characters")
        written = _File.model_validate(read_yaml(text))
    except ValidationError as error:
        complaints = "; ".join(f"{_place(detail['loc'])}: {detail['msg']}" for detail in error.errors())
        raise _wrong(path, complaints) from None
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise _wrong(path, str(error) or "it is nested too deeply") from None
    rules = tuple(one.rule() for one in written.rules)
    for rule, pattern, earlier in unreachable(rules):
        raise _wrong(path, f"the rule '{rule}' is never reached for {pattern}, because '{earlier}' stands before it")
    if written.extends is not None:
        base = template(written.extends)
        return Policy(rules + base.rules, base.default)
    return Policy(rules, Tier[str(written.default).upper()])


def _listed(value: Any) -> Any:
    return value if isinstance(value, list) else [value]


class _Strict(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Rule(_Strict):
    tools: Annotated[list[_Pattern], BeforeValidator(_listed), Field(min_length=1)]
    tier: _TierName
    when: dict[str, Condition] = Field(default_factory=dict)
    origin: Annotated[list[_OriginName], BeforeValidator(_listed), Field(min_length=1)] | None = None
    because: str = ""

    def rule(self) -> Rule:
        origins = frozenset(Origin) if self.origin is None else frozenset(map(Origin, self.origin))
        return Rule(tuple(self.tools), Tier[self.tier.upper()], self.when, origins, self.because)


class _File(_Strict):
    extends: Literal["careful", "standard", "trusting"] | None = None
    default: _TierName | None = None
    rules: list[_Rule] = Field(default_factory=list)

    @model_validator(mode="after")
    def _one_end(self) -> _File:
        if (self.extends is None) == (self.default is None):
            raise ValueError("it needs either 'extends' with a template, or a 'default' tier")
        return self


def _place(location: tuple[int | str, ...]) -> str:
    """Where in the file, counting rules from 1."""
    return " ".join(f"rule {part + 1}" if isinstance(part, int) else part for part in location) or "the file"


def _wrong(path: Path, complaint: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, f"The permissions in {path} are not applied: {complaint}.")
