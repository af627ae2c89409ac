"""What a tool's source consists of: imports, constants, private helpers and one public function."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

from reachy_agent_ros.toolsmith.validation.rejection import Complaint

Function = ast.FunctionDef | ast.AsyncFunctionDef

_LITERALS = (
    ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name, ast.Attribute,
    ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
"""Of what the value of a constant is made: no calls, so that loading a tool does nothing."""


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


def literal_value(node: ast.expr, named: Mapping[str, ast.expr]) -> Any:
    """The value of a literal, or of a constant that is one.

    Raises:
        ValueError: It is neither.
    """
    node = named.get(node.id, node) if isinstance(node, ast.Name) else node
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise ValueError("it is no literal value") from None


def top_level_complaints(tree: ast.Module) -> Iterator[Complaint]:
    """Complaints of whatever else a source has at its top level, and of public functions that are not one."""
    for position, statement in enumerate(tree.body):
        yield from _statement_complaints(statement, position == 0)
    public = public_functions(tree)
    if not public:
        yield Complaint(1, "there is no public function; define one: def name(...) -> dict")
    for other in public[1:]:
        message = f"{other.name:.60} is a second public function beside {public[0].name:.60}; one is the tool"
        yield Complaint(other.lineno, f"{message}, call the others _name")


def _statement_complaints(statement: ast.stmt, first: bool) -> Iterator[Complaint]:
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        return
    if first and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # a docstring of the file
    name, value = _assigned(statement)
    if not name:
        message = "at the top level only imports, constants and functions may be; put this into the function"
        yield Complaint(statement.lineno, message)
    elif value is None or not all(isinstance(part, _LITERALS) for part in ast.walk(value)):
        message = f"the constant {name:.60} must have a literal value; compute it in the function"
        yield Complaint(statement.lineno, message)


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """Name and value of a constant's definition; no name where it is none."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            return name, value
    return "", None
