"""The values of literals, computed from their syntax."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
"""No powers and shifts, with which a short text makes a number that fills the memory."""


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
