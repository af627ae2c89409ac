"""What a tool's source consists of: imports, constants, private helpers and one public function."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from reachy_agent_ros.tool_generation.validation.imports import Imports
from reachy_agent_ros.tool_generation.validation.literals import is_literal
from reachy_agent_ros.tool_generation.validation.rejection import Complaint

Function = ast.FunctionDef | ast.AsyncFunctionDef
"""What defines a tool: both kinds are called alike."""


def public_functions(tree: ast.Module) -> list[Function]:
    """The functions that could be the tool."""
    return [
        statement
        for statement in tree.body
        if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)) and not statement.name.startswith("_")
    ]


def constants(tree: ast.Module) -> Mapping[str, ast.expr]:
    """The values of the constants, by name."""
    found = {}
    for statement in tree.body:
        name, value = _assigned(statement)
        if name and value is not None:
            found[name] = value
    return found


def top_level_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Complaints of whatever else a source has at its top level, and of public functions that are not one."""
    for position, statement in enumerate(tree.body):
        yield from _statement_complaints(statement, position == 0, imports)
    public = public_functions(tree)
    if not public:
        yield Complaint(1, "there is no public function; define one: def name(...) -> dict")
    for other in public[1:]:
        message = f"{other.name:.60} is a second public function beside {public[0].name:.60}; one is the tool"
        yield Complaint(other.lineno, f"{message}, call the others _name")
    for statement in tree.body:
        if public and statement is not public[0] and public[0].name in _bound(statement):
            message = f"{public[0].name:.60} is the tool's function and means something else here"
            yield Complaint(statement.lineno, f"{message}; choose another name")


def _statement_complaints(statement: ast.stmt, first: bool, imports: Imports) -> Iterator[Complaint]:
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.ClassDef)):
        return
    if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef)):
        if not all(is_literal(part, imports) for part in evaluated(statement)):
            message = f"defaults and annotations of {statement.name:.60} must be literal; compute in the function"
            yield Complaint(statement.lineno, message)
        return
    if first and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # a docstring of the file
    name, value = _assigned(statement)
    if not name:
        message = "at the top level only imports, constants and functions may be; remove this or put it into one"
        yield Complaint(statement.lineno, message)
    elif value is None or not is_literal(value, imports):
        message = f"the constant {name:.60} must have a literal value; compute it in the function"
        yield Complaint(statement.lineno, message)


def _bound(statement: ast.stmt) -> list[str]:
    """Names that a constant or an import gives a meaning."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [one.asname or one.name.partition(".")[0] for one in statement.names]
    return [_assigned(statement)[0]]


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """Name and value of a constant's definition; no name where it is none."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            return name, value
    return "", None


def evaluated(function: Function) -> Iterator[ast.expr]:
    """What of a function is evaluated where it is defined."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    annotations = [argument.annotation for argument in every if argument]
    for part in (*arguments.defaults, *arguments.kw_defaults, *annotations, function.returns):
        if part is not None:
            yield part
