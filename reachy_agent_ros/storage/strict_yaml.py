"""Strict parsing of YAML files that users edit."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Hashable, Mapping
from pathlib import Path
from typing import Any, ClassVar, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic_core import ErrorDetails
from yaml.composer import Composer
from yaml.constructor import SafeConstructor
from yaml.resolver import Resolver

from reachy_agent_ros.core.contained_file import read_text
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.suggestion import did_you_mean


class StrictForm(BaseModel):
    """Base of the models for YAML files. Unknown keys are rejected. Values are not converted, except int to float."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


_QUOTED = re.compile(r""" (['"])(?!<)..+\1(?=$|;)""")
"""Name of an alias, an anchor or a tag in a message of PyYAML. A value that begins with `*`, `&` or `!` looks so."""

_MISMATCH = "a value does not match its tag"

FormT = TypeVar("FormT", bound=StrictForm)

YAML_ERRORS = (yaml.YAMLError, ValueError, LookupError, AttributeError, TypeError, RecursionError)
"""Exceptions that PyYAML raises for invalid text. It converts tagged values such as `!!bool x` or `!!timestamp x`."""


class PlacedError(ValueError):
    """Validation error that identifies the invalid part of a form.

    Args:
        place: Keys and indices that lead from the form to the part.
        message: What is invalid and what was expected.
    """

    def __init__(self, place: tuple[int | str, ...], message: str) -> None:
        super().__init__(message)
        self.place = place


def read_form(
    path: Path,
    form: type[FormT],
    largest: int,
    consequence: str = "",
    root: Path | None = None,
    context: Mapping[str, Any] | None = None,
) -> FormT:
    """Reads and validates a YAML file.

    Args:
        path: The file.
        form: Expected model.
        largest: Maximum size, bytes.
        consequence: Beginning of the error message, such as "The models are not used".
        root: As for `read_text`.
        context: Data for the validators of the form.

    Raises:
        AgentError: `INVALID_ARGUMENTS`, with file, line and place of each mistake, but no values: they may be secret.
    """
    try:
        return _read(read_text(path, largest, root), path, form, context)
    except AgentError as error:
        raise AgentError(error.code, f"{consequence}: {error.message}" if consequence else error.message) from None


def _read(text: str, path: Path, form: type[FormT], context: Mapping[str, Any] | None) -> FormT:
    try:
        content = _parsed(yaml.load, text)
    except YAML_ERRORS as error:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path}: {_complaint(error)}.") from None
    try:
        return form.model_validate(content, context=context)
    except ValidationError as error:
        root = _parsed(yaml.compose, text)
        mistakes = [_mistake(root, form, mistake) for mistake in error.errors()]
    complaint = "; ".join(mistakes)
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path}: {complaint}{'' if complaint.endswith('?') else '.'}")


def _parsed(parse: Callable[[str, type[_StrictRules]], Any], text: str) -> Any:
    """Parses a YAML text. If this fails, parses it again with the slower parser, whose error messages are better."""
    if yaml.__with_libyaml__:
        with contextlib.suppress(*YAML_ERRORS):
            return parse(text, _QuickLoader)
    return parse(text, _StrictLoader)


def _mistake(root: yaml.Node | None, form: type[StrictForm], mistake: ErrorDetails) -> str:
    """Returns the message for a validation error, with the line.

    For an unknown key, the message suggests the most similar valid key.
    """
    raised = mistake.get("ctx", {}).get("error")
    place = mistake["loc"] + (raised.place if isinstance(raised, PlacedError) else ())
    text = mistake["msg"].removeprefix("Value error, ")
    if mistake["type"] == "extra_forbidden":
        closest = did_you_mean(str(place[-1]), _keys(form))
        text = f"{text}.{closest}" if closest else text
    line = _line(root, place)
    return f"line {line}: {_place(place)}: {text}" if line else f"{_place(place)}: {text}"


def _keys(form: type[StrictForm]) -> list[str]:
    """Returns the keys of a form and of the forms inside it."""
    schema = form.model_json_schema()
    return [key for one in (schema, *schema.get("$defs", {}).values()) for key in one.get("properties", {})]


def _line(node: yaml.Node | None, place: tuple[int | str, ...]) -> int:
    """Returns the line number of the innermost existing key or item on the path `place`.

    The first line has the number 1. The result is 0 for an empty file.
    """
    line = node.start_mark.line + 1 if node else 0
    for part in place:
        if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
            node = node.value[part]
            line = node.start_mark.line + 1
        elif isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == part), None)
            if found is None:
                break
            key, node = found
            line = key.start_mark.line + 1
        else:
            break
    return line


def _complaint(error: Exception) -> str:
    if isinstance(error, yaml.MarkedYAMLError):
        line = f"line {error.problem_mark.line + 1}" if error.problem_mark else ""
        return ": ".join(
            filter(None, (line, *(_QUOTED.sub("", text or "") for text in (error.context, error.problem))))
        )
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, yaml.YAMLError | ValueError):  # such as a character that YAML does not allow, or a 13th month
        return " ".join(str(error).split())
    return _MISMATCH


def _place(location: tuple[int | str, ...]) -> str:
    """Formats a path of keys and indices for messages. List items are numbered from 1."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in location) or "the file"


_NUMBERS = {
    "tag:yaml.org,2002:int": (re.compile(r"[-+]?[0-9]+$|0o[0-7]+$|0x[0-9a-fA-F]+$"), "-+0123456789"),
    "tag:yaml.org,2002:float": (
        re.compile(
            r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$|[-+]?\.(?:inf|Inf|INF)$|\.(?:nan|NaN|NAN)$"
        ),
        "-+0123456789.",
    ),
}
"""Patterns of YAML 1.2 numbers, by tag, and the characters that they start with.

In YAML 1.1, which PyYAML reads, 1:30 is 90, 010 is 8 and 1_0 is 10, which is rarely what people mean.
"""


class _StrictRules(SafeConstructor, Resolver):  # type: ignore[misc] # they have no types
    """Rejects duplicate keys, and reads numbers as in YAML 1.2.

    PyYAML would silently keep only the last of several duplicate keys.
    """

    yaml_implicit_resolvers: ClassVar[dict[str, Any]] = {
        first: [(tag, pattern) for tag, pattern in resolvers if tag not in _NUMBERS]
        for first, resolvers in Resolver.yaml_implicit_resolvers.items()
    }

    def construct_object(self, node: yaml.Node, deep: bool = False) -> Any:
        """Constructs a value. Errors of its constructor get the line, and do not contain the value."""
        try:
            return super().construct_object(node, deep)
        except (ValueError, LookupError, AttributeError, TypeError) as error:
            is_date = node.tag == "tag:yaml.org,2002:timestamp" and isinstance(error, ValueError)
            problem = str(error) if is_date else _MISMATCH  # such as a 13th month
            raise yaml.constructor.ConstructorError(None, None, problem, node.start_mark) from None

    def construct_number(self, node: yaml.Node) -> float:
        text = self.construct_scalar(node)
        if not _NUMBERS[node.tag][0].match(text):
            raise ValueError
        if node.tag == "tag:yaml.org,2002:float":
            return float(self.construct_yaml_float(node))
        return int(text, 0 if text[:2] in ("0o", "0x") else 10)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        if isinstance(node, yaml.MappingNode):  # `!!map x` is not a mapping; the base class reports it
            lines: dict[Hashable, int] = {}
            for key_node, _value in node.value:
                key, line = self.construct_object(key_node, deep=True), key_node.start_mark.line + 1
                if not _can_be_key(key):
                    continue
                if key in lines:
                    problem = f"{key!r} is set twice, first in line {lines[key]}"
                    raise yaml.constructor.ConstructorError(None, None, problem, key_node.start_mark)
                lines[key] = line
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


for _tag, (_pattern, _first) in _NUMBERS.items():
    _StrictRules.add_implicit_resolver(_tag, _pattern, list(_first))
    _StrictRules.add_constructor(_tag, _StrictRules.construct_number)


class _StrictLoader(_StrictRules, yaml.SafeLoader):  # type: ignore[misc]
    """Loader that parses in Python."""


class _QuickLoader(_StrictRules, Composer, yaml.cyaml.CParser):  # type: ignore[misc]
    """Loader that parses with libyaml, which is five times as fast as Python.

    It composes in Python: libyaml's composer recurses without a limit, so 100,000 brackets would end the process.
    """

    def __init__(self, stream: str) -> None:
        yaml.cyaml.CParser.__init__(self, stream)
        Composer.__init__(self)
        SafeConstructor.__init__(self)
        Resolver.__init__(self)


def _can_be_key(value: object) -> bool:
    return isinstance(value, Hashable)
