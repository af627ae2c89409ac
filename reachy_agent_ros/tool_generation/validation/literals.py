"""Expressions that cost and do nothing when a tool is loaded, and the values of the plainest of them."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from reachy_agent_ros.tool_generation.validation.attributes import path_of
from reachy_agent_ros.tool_generation.validation.imports import Imports

_PARTS = (
    ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name, ast.Attribute,
    ast.Subscript, ast.keyword, ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
"""Of what constants, defaults and annotations are made, beside calls that make a value."""

_MAKERS = frozenset(("dict", "frozenset", "list", "range", "re.compile", "set", "tuple"))
_MATHEMATICS = ("math", "numpy")
"""What such calls are of: whole paths, and modules."""

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_OPERATORS = (*_ARITHMETIC, ast.FloorDiv, ast.Mod, ast.BitOr)

_LARGEST_EXPONENT = 64
"""With larger ones, and with texts that are repeated, a short source would fill the memory while it is loaded."""


def is_literal(node: ast.expr, imports: Imports) -> bool:
    """Whether an expression is made of literals, names, plain arithmetic and calls that make a value."""
    parts = list(ast.walk(node))
    return not any(map(_is_costly, parts)) and all(
        isinstance(part, _PARTS) or _makes_a_value(part, imports) for part in parts
    )


def literal_value(node: ast.expr, named: Mapping[str, ast.expr]) -> Any:
    """The value of a literal, of numbers added and multiplied, or of a constant that is one of these.

    Args:
        node: The expression.
        named: The source's constants.

    Raises:
        ValueError: It is something else.
    """
    match node:
        case ast.Name(id=name) if name in named:
            return literal_value(named[name], {other: value for other, value in named.items() if other != name})
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _computed(type(op), literal_value(left, named), literal_value(right, named))
        case ast.List(elts=parts) | ast.Tuple(elts=parts):
            return [literal_value(part, named) for part in parts]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        raise ValueError("it is no literal value") from None


def _computed(kind: type[ast.operator], left: Any, right: Any) -> Any:
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        raise ValueError("it is no literal value")  # a text times a number can fill the memory too
    try:
        return _ARITHMETIC[kind](left, right)
    except ArithmeticError:
        raise ValueError("it has no finite value") from None


def _makes_a_value(node: ast.AST, imports: Imports) -> bool:
    """Whether it is a call such as `frozenset(...)`, `"a b".split()`, `re.compile(...)` or `math.radians(30)`."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()), attr="split")):
            return True
        case ast.Call(func=called):
            path = path_of(called, imports) or (called.id if isinstance(called, ast.Name) else "")
            return path in _MAKERS or path.rpartition(".")[0] in _MATHEMATICS
    return False


def _is_costly(node: ast.AST) -> bool:
    match node:
        case ast.BinOp(op=ast.Pow(), right=ast.Constant(value=int(exponent))):
            return exponent > _LARGEST_EXPONENT
        case ast.BinOp(op=ast.Mult(), left=left, right=right):
            return _is_sequence(left) or _is_sequence(right)
        case ast.BinOp(op=op):
            return not isinstance(op, _OPERATORS)
    return False


def _is_sequence(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, (str, bytes))
    return isinstance(node, (ast.List, ast.Tuple))
