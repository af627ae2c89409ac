"""One example of what a tool should do."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from reachy_agent_ros.core.errors import AgentError, ErrorCode

MOST = 20
"""Cases of one tool."""

_KEYS = ("args", "expect", "raises")


@dataclass(frozen=True)
class Case:
    """Arguments, and what must come of them.

    Attributes:
        arguments: Of the call, JSON values.
        expect: What the result must have, as `comparison.difference` compares; None where any object will do.
        raises: Type of the exception that must end it, or a base of it; None where it must return.
        invented: Whether nobody chose the arguments, as `plain_case` says.
    """

    arguments: Mapping[str, Any] = field(default_factory=dict)
    expect: Any = None
    raises: str | None = None
    invented: bool = False

    @property
    def document(self) -> dict[str, Any]:
        """The same as `read_cases` reads it."""
        whole = {"args": dict(self.arguments), "expect": self.expect, "raises": self.raises}
        return {key: value for key, value in whole.items() if key == "args" or value is not None}


def read_cases(text: str) -> tuple[Case, ...]:
    """Reads a JSON list of `{"args": {...}, "expect": ..., "raises": "ValueError"}`, the latter two where wanted.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming the case and what is wrong with it.
    """
    try:
        values = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise _invalid(f"The cases are no JSON: {error}.") from None
    if not isinstance(values, list):
        raise _invalid('The cases must be a JSON list of objects such as {"args": {"x": 1}, "expect": {"y": 2}}.')
    if len(values) > MOST:
        raise _invalid(f"There are {len(values)} cases; a tool has at most {MOST}.")
    return tuple(_read_case(value, f"Case {number}") for number, value in enumerate(values, 1))


def _read_case(value: Any, name: str) -> Case:
    if not isinstance(value, dict):
        raise _invalid(f'{name} must be an object such as {{"args": {{"x": 1}}, "expect": {{"y": 2}}}}.')
    unknown = ", ".join(repr(key) for key in value if key not in _KEYS)
    if unknown:
        raise _invalid(f"{name} has {unknown:.80}; a case has {', '.join(_KEYS)}.")
    arguments, raises = value.get("args", {}), value.get("raises")
    if not isinstance(arguments, dict):
        raise _invalid(f"{name}: args must be an object of arguments by name.")
    if raises is not None and not (isinstance(raises, str) and raises.isidentifier()):
        raise _invalid(f"{name}: raises must be the name of an exception, such as ValueError.")
    if raises is not None and value.get("expect") is not None:
        raise _invalid(f"{name} cannot both expect a result and raise {raises:.40}.")
    return Case(arguments, value.get("expect"), raises)


def _refuse_constant(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no JSON number")


def _invalid(message: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, message)
