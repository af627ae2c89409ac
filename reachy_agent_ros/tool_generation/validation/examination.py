"""Validator that examines the syntax tree of a source. No part of the source is imported, evaluated or run.

It imports little, so that a reading process starts quickly.

It also derives the capabilities that a source needs from every name that it uses. This over-approximates: a tool that
only reads the robot's pose needs the body, and a function that is named but never called counts. The broker rejects
everything that the source does not name.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Iterator, Mapping

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation.job import Need
from reachy_agent_ros.tool_generation.validation.attributes import array_type_complaints, attribute_complaints, path_of
from reachy_agent_ros.tool_generation.validation.docstring import Docstring, read_docstring
from reachy_agent_ros.tool_generation.validation.imports import PREDECLARED, Imports, import_complaints, read_imports
from reachy_agent_ros.tool_generation.validation.names import identifier_complaints, name_complaints, require_free_name
from reachy_agent_ros.tool_generation.validation.signature import (
    Outline,
    docstring_complaints,
    instruction_complaints,
    read_parameters,
    return_complaints,
)
from reachy_agent_ros.tool_generation.validation.syntax import class_complaints, node_complaints, special_methods
from reachy_agent_ros.tool_generation.validation.top_level import (
    Function,
    constants,
    public_functions,
    read_limits,
    top_level_complaints,
)
from reachy_agent_ros.tool_generation.verdict import Complaint, SourceRejectedError, VerificationStage

_HINTS = {
    "```": "; give the source alone, without a fence around it",
    "line continuation": "; end lines with a line break instead of a backslash",
    "was never closed": "; if a double quote ended the source too early, write its strings in 'single quotes'",
    "unterminated string": "; close the string on its line, or write \\n in it",
}
"""Hints for mistakes that models make when they write a source as a string, by text in the parser's message or line."""

NEEDS: Mapping[str, Need] = {
    "reachy_agent.analyze_scene": Need.EYES,
    "reachy_agent.dance": Need.BODY,
    "reachy_agent.detect_objects": Need.EYES,
    "reachy_agent.express_emotion": Need.BODY,
    "reachy_agent.gesture": Need.BODY,
    "reachy_agent.look_at": Need.BODY,
    "reachy_agent.play_move": Need.BODY,
    "reachy_agent.say": Need.VOICE,
    "reachy_agent.take_photo": Need.EYES,
    "reachy_mini.ReachyMini": Need.BODY,
    "requests.get": Need.WEB,
}
"""Capabilities by the path of functions that call the host. All other allowed imports work within the sandbox."""

_CAMERA = frozenset(("look_at_image", "media"))
"""Attributes of `ReachyMini` that use its camera, directly or indirectly."""


def examine(text: str, taken: Collection[str] = ()) -> Outline:
    """Checks a source. Returns its outline, which describes the tool.

    Args:
        text: Source from the text gate.
        taken: Names that the tool must neither have nor imitate.

    Raises:
        SourceRejectedError: The source is invalid. The error contains the first 20 complaints.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # such as "invalid escape sequence", which is acceptable
            return _outline(text, _parsed(text), taken)
    except (RecursionError, MemoryError):
        raise too_complex() from None


def too_complex() -> SourceRejectedError:
    """Returns the error for a source that exceeds the limits of the process that reads it."""
    message = "the source is too complex to be read; write shorter expressions with fewer levels of nesting"
    return SourceRejectedError(VerificationStage.SYNTAX, [Complaint(1, message)])


def _parsed(text: str) -> ast.Module:
    try:
        tree = ast.parse(text)
        compile(tree, "tool", "exec", dont_inherit=True)  # finds more than the grammar: await outside async
    except SyntaxError as error:
        where = f" in {error.text.strip()!r:.80}" if error.text else ""
        hint = next((hint for sign, hint in _HINTS.items() if sign in f"{error.msg} {error.text}"), "")
        complaint = Complaint(error.lineno or 1, f"this is not valid Python: {error.msg}{where}{hint}")
        raise SourceRejectedError(VerificationStage.SYNTAX, [complaint]) from None
    except ValueError:  # the parser gives no position for some sources
        raise too_complex() from None
    return tree


def _outline(text: str, tree: ast.Module, taken: Collection[str]) -> Outline:
    complaints = list(_complaints(text, tree))
    values = constants(tree)
    limits = read_limits(values, complaints)
    function = next(iter(public_functions(tree)), None)
    if function is None:
        raise SourceRejectedError(VerificationStage.SYNTAX, complaints)
    text_of_docstring = ast.get_docstring(function, clean=False)
    docstring = None if text_of_docstring is None else read_docstring(text_of_docstring)
    complaints += [*_name(function, taken), *docstring_complaints(function, docstring), *return_complaints(function)]
    documented = docstring or Docstring("")
    parameters = read_parameters(function, documented, values, complaints)
    complaints += instruction_complaints(function, documented, parameters)
    if complaints:
        raise SourceRejectedError(VerificationStage.SYNTAX, complaints)
    return {
        "name": function.name,
        "summary": documented.summary,
        "parameters": parameters,
        "time": limits.time,
        "memory": limits.memory,
        "needs": sorted(set(_needs(tree, read_imports(tree)))),
    }


def _complaints(text: str, tree: ast.Module) -> Iterator[Complaint]:
    imports = read_imports(tree)
    yield from node_complaints(tree, imports)
    yield from class_complaints(tree, imports)
    yield from identifier_complaints(tree, special_methods(tree))
    yield from import_complaints(tree, imports)
    yield from name_complaints(text, tree)
    yield from attribute_complaints(tree, imports)
    yield from array_type_complaints(tree, imports)
    yield from top_level_complaints(tree, imports)


def _name(function: Function, taken: Collection[str]) -> Iterator[Complaint]:
    try:
        require_free_name(function.name, taken)
    except AgentError as error:
        yield Complaint(function.lineno, error.message)


def _needs(tree: ast.Module, imports: Imports) -> Iterator[Need]:
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        path = path_of(node, imports)
        if path in NEEDS:
            yield NEEDS[path]
        if isinstance(node, ast.Name) and node.id in PREDECLARED:
            yield NEEDS[f"reachy_agent.{node.id}"]
        if isinstance(node, ast.Attribute) and node.attr in _CAMERA:
            yield Need.EYES
