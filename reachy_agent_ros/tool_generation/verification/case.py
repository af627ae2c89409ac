"""Cases of a tool: examples of what it should do, one that is invented where there are none, and how each went."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

from reachy_agent_ros.core.arguments import schema_of
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.tool_generation.validation.program import Program

MOST = 20
"""Cases of one tool."""

_KEYS = ("args", "expect", "raises")

_PLAIN: dict[str, Any] = {"integer": 1, "number": 1.0, "boolean": True, "object": {}, "null": None}

_PLAIN_TEXTS = {
    r"urls?|uris?|links?|website|webpage|feed": "https://example.org/",
    r"hosts?|domains?": "example.org",
    r"e?mails?": "ada@example.org",
    r"colou?rs?": "red",
    r"time ?zones?|zones?|tz": "UTC",
    r"date|dates|day|birthday|deadline": "2026-01-31",
    r"time|times|clock": "12:30",
    r"path|paths|file|files|filename": "example.txt",
    r"cit(?:y|ies)|places?|towns?": "Paris",
    r"languages?|locale": "en",
    r"labels?|objects?|things?|items?": "apple",
    r"expressions?|formulas?|equations?": "1 + 1",
    r"json": "{}",
    r"numbers?|digits": "1",
    r"names?|person|persons|people|user|who|whom": "Ada",
}
"""What a text may well be whose name has such a word; the first that fits."""


@dataclass(frozen=True)
class Case:
    """Arguments, and what must come of them.

    Attributes:
        arguments: Of the call, JSON values.
        expect: What the result must have, as `rehearsal.difference` compares; None where any object will do.
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


@dataclass(frozen=True)
class CaseResult:
    """How a case went, as the host saw it.

    Attributes:
        case: Which.
        reason: Why it failed, empty where it did not.
        result: What the tool returned; None where it did not.
        log: What it printed.
        commands: How often it commanded the robot; what was refused is no command.
        violations: Calls that were refused or clamped, a sentence each.
        took: s of the rehearsal's time.
        elapsed: s of real time.
    """

    case: Case
    reason: str = ""
    result: Any = None
    log: str = ""
    commands: int = 0
    violations: tuple[str, ...] = ()
    took: float = 0.0
    elapsed: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether it did what the case asks for."""
        return not self.reason


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


def plain_case(program: Program) -> Case:
    """A call with every default, and the plainest arguments that the schema allows for what has none.

    Nobody says that a tool can do anything with them. So it may raise what values cause, a `ValueError` or a `KeyError`
    for instance, where any were invented; and as its defaults may be meant for a longer day, its own time limit does
    not end it, only the longest that a tool may ask for.
    """
    properties = schema_of(program.arguments).get("properties", {})
    required = [parameter.name for parameter in program.parameters if parameter.required]
    return Case({name: _plain(properties[name], _text(name, properties[name])) for name in required}, invented=True)


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


def _text(name: str, schema: dict[str, Any]) -> str:
    """By the parameter's name, or where that says nothing by its description."""
    for words in (name.replace("_", " "), schema.get("description", "")):
        for pattern, text in _PLAIN_TEXTS.items():
            if re.search(rf"\b(?:{pattern})\b", words, re.IGNORECASE):
                return text
    return "hello"


def _plain(schema: dict[str, Any], text: str) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][0]
    if "anyOf" in schema:
        return _plain(schema["anyOf"][0], text)
    kind = schema.get("type", "string")
    if kind == "array":
        item = schema.get("items")  # where nobody says of what, none is safest
        items = schema.get("prefixItems") or [item] * schema.get("minItems", bool(item))
        return [_plain(one, text) for one in items]
    if kind in ("integer", "number"):
        value = max(_PLAIN[kind], schema.get("minimum", _PLAIN[kind]))
        return min(value, schema.get("maximum", value))
    return text if kind == "string" else _PLAIN[kind]
