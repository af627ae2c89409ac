"""Public function of a tool: its parameters, docstring and return value, taken from the syntax tree.

Texts that a model reads when it chooses a tool may describe the tool, but must not give instructions.
"""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypedDict

from reachy_agent_ros.core.instructions_in_data import instructions_in
from reachy_agent_ros.tool_generation.validation.annotation import (
    TypeDescription,
    described_annotation,
    fits,
    is_dictionary,
)
from reachy_agent_ros.tool_generation.validation.docstring import Docstring
from reachy_agent_ros.tool_generation.validation.text_gate import deceptive_character
from reachy_agent_ros.tool_generation.validation.top_level import Function, literal_value
from reachy_agent_ros.tool_generation.verdict import Complaint

_NO_DICT = (ast.Constant, ast.JoinedStr, ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple, ast.Compare)
"""Kinds of expressions that cannot be a dict."""

_OF_PYDANTIC = "model_"
"""Prefix of pydantic's own names. Fields of an arguments model must not have this prefix."""

_HONEST = frozenset({"tool call"})
"""Legitimate phrases in tool descriptions."""


class OutlinedParameter(TypedDict):
    """Parameter of the public function."""

    name: str
    type: TypeDescription
    description: str
    required: bool
    default: Any
    """Default value, a JSON value; null if the parameter is required."""


class Outline(TypedDict):
    """Description of a tool as JSON values, which the reading process can send to the host."""

    name: str
    summary: str
    parameters: list[OutlinedParameter]
    time: float
    """Time limit of a run, s."""
    memory: int
    """Memory limit of a run, bytes."""
    needs: list[str]
    """Names of required capabilities, values of `Need`."""


def read_parameters(
    function: Function, docstring: Docstring, constants: Mapping[str, ast.expr], complaints: list[Complaint]
) -> list[OutlinedParameter]:
    """Returns the parameters in order. Adds a complaint for each invalid parameter."""
    arguments = function.args
    for extra in (arguments.vararg, arguments.kwarg):
        if extra:
            complaints.append(Complaint(extra.lineno, f"*{extra.arg:.60} is not allowed; name each parameter"))
    for positional in arguments.posonlyargs:
        message = f"{positional.arg:.60} is positional-only, but arguments are passed by name; remove the /"
        complaints.append(Complaint(positional.lineno, message))
    parameters = []
    for parameter, default in _with_defaults(arguments):
        try:
            parameters.append(_outlined(parameter, default, docstring, constants))
        except ValueError as error:
            complaints.append(Complaint(parameter.lineno, f"parameter {parameter.arg:.60}: {error}"))
    return parameters


def docstring_complaints(function: Function, docstring: Docstring | None) -> Iterator[Complaint]:
    """Yields complaints about a missing or incomplete docstring. A docstring with a single paragraph is complete."""
    if docstring is None or not docstring.summary:
        form = "a summary, then 'Args:' with a line 'name: what it is' for each parameter, then 'Returns:'"
        yield Complaint(function.lineno, f"{function.name:.60} has no docstring; write {form}")
        return
    line = function.body[0].lineno
    if character := deceptive_character(ast.get_docstring(function, clean=False) or ""):
        yield Complaint(line, f"{character} is not allowed in the docstring; use only visible characters")
    if not docstring.brief:
        for parameter, _ in _with_defaults(function.args):
            if not docstring.arguments.get(parameter.arg):
                message = f"the docstring does not say what {parameter.arg:.60} is"
                yield Complaint(line, f"{message}; add a line '{parameter.arg:.60}: ...' under 'Args:'")
        if not docstring.returns:
            yield Complaint(line, "the docstring does not say what is returned; add 'Returns:' and describe the dict")


def return_complaints(function: Function) -> Iterator[Complaint]:
    """Yields complaints about a function that does not return a dict."""
    try:
        annotated = function.returns is not None and is_dictionary(function.returns)
    except ValueError:
        annotated = False
    if not annotated:
        line = function.returns.lineno if function.returns else function.lineno
        yield Complaint(line, "a tool must return a dict; write -> dict here, and return {'result': ...}")
    own = list(_own_nodes(function))
    for node in own:
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            yield Complaint(node.lineno, "a tool must return one dict and must not yield; collect the values in a list")
        elif isinstance(node, ast.Return) and (node.value is None or isinstance(node.value, _NO_DICT)):
            yield Complaint(node.lineno, 'this does not return a dict; write return {"status": ..., ...}')
    if not any(isinstance(node, (ast.Return, ast.Raise)) for node in own):
        yield Complaint(function.lineno, f'{function.name:.60} returns nothing; end it with return {{"status": ...}}')


def instruction_complaints(
    function: Function, docstring: Docstring, parameters: Sequence[OutlinedParameter]
) -> Iterator[Complaint]:
    """Yields a complaint if a text of the tool gives instructions to the model instead of describing the tool.

    The texts are names, descriptions, choices and defaults.

    All texts are checked together, because a model reads them together.
    """
    shown = [function.name, docstring.summary, *_texts(list(parameters))]
    kinds = set(instructions_in("\n".join((*shown, *(text.replace("_", " ") for text in shown))))) - _HONEST
    if kinds:
        found = ", ".join(sorted(kinds))
        message = f"the docstring, a name or a default contains what looks like instructions to a model ({found})"
        yield Complaint(function.lineno, f"{message}; describe only what the tool does and what it takes")


def _with_defaults(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr | None]]:
    positional = arguments.posonlyargs + arguments.args
    missing = [None] * (len(positional) - len(arguments.defaults))
    yield from zip(positional, [*missing, *arguments.defaults], strict=True)
    yield from zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)


def _outlined(
    parameter: ast.arg, default: ast.expr | None, docstring: Docstring, constants: Mapping[str, ast.expr]
) -> OutlinedParameter:
    if parameter.arg.startswith("_"):
        raise ValueError("an argument name must begin with a letter")
    if parameter.arg.startswith(_OF_PYDANTIC):
        raise ValueError(f"an argument name must not begin with {_OF_PYDANTIC}; choose another")
    if parameter.annotation is None:
        raise ValueError("its type is missing; annotate it, for example distance: float")
    described = described_annotation(parameter.annotation)
    value = None if default is None else _json_value(default, constants)
    if default is not None and not fits(value, described):
        if value is not None:
            raise ValueError(f"its default {value!r:.60} does not match its type; change the default or the annotation")
        described = ["union", described, "none"]  # `x: str = None`, as models still write it
    return {
        "name": parameter.arg,
        "type": described,
        "description": docstring.arguments.get(parameter.arg) or parameter.arg.replace("_", " "),
        "required": default is None,
        "default": value,
    }


def _json_value(node: ast.expr, constants: Mapping[str, ast.expr]) -> Any:
    """Returns the default of a parameter as a JSON value."""
    try:
        return json.loads(json.dumps(literal_value(node, constants), allow_nan=False))
    except (TypeError, ValueError):
        raise ValueError("its default is not a JSON literal; use None, and set the value in the function") from None


def _own_nodes(function: Function) -> Iterator[ast.AST]:
    """Yields the nodes of a function. The nodes of nested functions are not included."""
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))


def _texts(value: Any) -> Iterator[str]:
    """Yields every string in a JSON value. The keys of objects are not included."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part)
