"""The import statements of a tool, and what each imported name stands for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from reachy_agent_ros.tool_generation.validation.modules import import_complaint, is_allowed, is_module, name_complaint
from reachy_agent_ros.tool_generation.validation.rejection import Complaint

Imports = Mapping[str, str]
"""Dotted path by the name that an import binds, in whichever scope."""


def read_imports(tree: ast.Module) -> Imports:
    """What the imported names stand for; of two imports of one name, the module.

    An imported name means one thing in the whole source, whatever scope its import is in, and the name of a module
    nothing else at all: `import_complaints` refuses what would make it otherwise.
    """
    bound = sorted(((alias, path) for _, alias, path in _bound(tree)), key=lambda each: is_module(each[1]))
    return dict(bound)


def import_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Complaints of imports that are not allowed, and of names that would hide a module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                if not is_module(one.name):
                    yield Complaint(node.lineno, import_complaint(one.name))
        elif isinstance(node, ast.ImportFrom):
            yield from _from_complaints(node)
    for line, alias, path in _bound(tree):
        if imports[alias] != path:
            message = (
                f"{alias:.60} stands for both {path:.60} and {imports[alias]:.60}; import one of them as another name"
            )
            yield Complaint(line, message)
    for line, name in stored_names(tree):
        if is_module(imports.get(name, "")):
            yield Complaint(line, f"{name} is an imported module; give what is stored here another name")


def _from_complaints(node: ast.ImportFrom) -> Iterator[Complaint]:
    if node.level or not node.module:
        yield Complaint(node.lineno, "relative imports are not allowed; a tool is one file")
        return
    if not is_module(node.module):
        yield Complaint(node.lineno, import_complaint(node.module))
        return
    for one in node.names:
        if one.name == "*":
            yield Complaint(node.lineno, f"import the names of {node.module} that are used, not *")
        elif not is_allowed(node.module, one.name):
            yield Complaint(node.lineno, name_complaint(node.module, one.name))


def _bound(tree: ast.Module) -> Iterator[tuple[int, str, str]]:
    """Line, name and dotted path of whatever an import binds."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for one in node.names:
                top = one.name.partition(".")[0]
                yield node.lineno, one.asname or top, one.name if one.asname else top
        elif isinstance(node, ast.ImportFrom):
            for one in node.names:
                yield node.lineno, one.asname or one.name, f"{node.module}.{one.name}"


def stored_names(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Line and name of whatever else is bound: assigned, deleted, a parameter, a function, caught or matched."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.lineno, node.id
        elif isinstance(node, ast.arg):
            yield node.lineno, node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
            yield node.lineno, node.name or ""
        elif isinstance(node, ast.MatchMapping):
            yield node.lineno, node.rest or ""
