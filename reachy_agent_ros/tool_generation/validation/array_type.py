"""Keeps `numpy.ndarray` a name for a type: called with a buffer and `dtype=object`, it takes numbers for addresses."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from reachy_agent_ros.tool_generation.validation.attributes import path_of
from reachy_agent_ros.tool_generation.validation.imports import Imports, stored_names
from reachy_agent_ros.tool_generation.validation.rejection import Complaint

_ARRAY = "numpy.ndarray"
_GENERIC = ("collections.abc.", "numpy.typing.", "typing.")


def array_type_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Complaints of places where the type is a value: what is assigned or passed on can be called."""
    own = {name for _, name in stored_names(tree)}
    types = {id(part) for node in ast.walk(tree) for part in _types(node, imports, own)}
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute)) and path_of(node, imports) == _ARRAY and id(node) not in types:
            where = f"{_ARRAY} is for annotations and isinstance"
            yield Complaint(node.lineno, f"{where}; make arrays with numpy.array or numpy.zeros")


def _types(node: ast.AST, imports: Imports, own: Collection[str]) -> Iterator[ast.expr]:
    """What a node names as types and nothing else."""
    match node:
        case ast.arg(annotation=ast.expr() as annotation) | ast.AnnAssign(annotation=annotation):
            yield from _parts(annotation, imports, own)
        case ast.FunctionDef(returns=ast.expr() as annotation) | ast.AsyncFunctionDef(returns=ast.expr() as annotation):
            yield from _parts(annotation, imports, own)
        case ast.Call(func=ast.Name(id="isinstance"), args=[_, kind]) if not {"isinstance"} & {*own, *imports}:
            yield from kind.elts if isinstance(kind, ast.Tuple) else [kind]


def _parts(annotation: ast.expr, imports: Imports, own: Collection[str]) -> Iterator[ast.expr]:
    """The parts of an annotation, but not what is in the brackets of a thing of the tool's own, which would keep it."""
    yield annotation
    match annotation:
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            parts = [left, right]
        case ast.Subscript(value=base, slice=inner) if _is_generic(base, imports, own):
            parts = inner.elts if isinstance(inner, (ast.Tuple, ast.List)) else [inner]
        case _:
            parts = []
    for part in parts:
        yield from _parts(part, imports, own)


def _is_generic(base: ast.expr, imports: Imports, own: Collection[str]) -> bool:
    if path := path_of(base, imports):
        return path.startswith(_GENERIC)
    return isinstance(base, ast.Name) and base.id not in own
