"""Size of constants: upper bounds that are derived from the source, so that a short source cannot fill the memory.

The bounds follow the order of the source, because a constant can multiply the size of an earlier constant.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from reachy_agent_ros.tool_generation.validation.attributes import path_of
from reachy_agent_ros.tool_generation.validation.imports import Imports

_LARGEST_EXPONENT = 64
_LARGEST_NUMBER = 1e100
"""Maximum absolute value of an integer. A few multiplications of larger integers would fill the memory."""

_LARGEST_SIZE = 1e6
"""Maximum number of items and characters: a few megabytes."""


class Bound(NamedTuple):
    """Upper bound of a value.

    Attributes:
        whole: Absolute value of every integer in the value, at least 1. Floats are as small as 1.
        size: Number of items and characters at all levels, plus 1; 1 for a number.
    """

    whole: float = 1.0
    size: float = 1.0

    @property
    def allowed(self) -> bool:
        """Whether the value is small."""
        return self.whole <= _LARGEST_NUMBER and self.size <= _LARGEST_SIZE

    def joined(self, other: Bound) -> Bound:
        """Returns the bound of a value to which one of two bounds applies."""
        return Bound(max(self.whole, other.whole), max(self.size, other.size))


Bounds = dict[str, Bound]
"""Bounds of constants by name. The names of class attributes begin with a dot."""

_IMPORTED: Mapping[str, Bound] = {"math": Bound(), "numpy": Bound(), "string": Bound(1.0, 128.0)}
"""Bounds of the constants in allowed modules. `string.printable` has 100 characters."""

_OTHER_IMPORTED = Bound(1e4, 16.0)
"""Bound of the constants in other allowed modules: `datetime.MAXYEAR` is 9999, `decimal.ROUND_HALF_DOWN` a word."""

_ENDLESS = Bound(math.inf, math.inf)


_SAMPLES = 50.0
"""Default number of samples of `numpy.linspace`."""


def _total(parts: Sequence[Bound]) -> float:
    return 1.0 + sum(part.size for part in parts)


def _count(parts: Sequence[Bound]) -> float:
    return 1.0 + sum(part.whole for part in parts)


def _one(_parts: Sequence[Bound]) -> float:
    return 1.0


def _items(parts: Sequence[Bound]) -> float:
    return math.prod(part.size for part in parts)


def _shape(parts: Sequence[Bound]) -> float:
    return math.prod(_power(part.whole, max(1.0, part.size - 1.0)) for part in parts)


_MATHEMATICS = """
    acos asin atan atan2 cbrt ceil copysign cos cosh degrees dist exp fabs floor fmod gcd hypot isqrt log log10 log2 pow
    radians sin sinh sqrt tan tanh trunc
"""
_ELEMENTWISE = """
    abs arccos arcsin arctan arctan2 array asarray bool_ ceil clip column_stack concatenate cos cross cumsum deg2rad
    degrees diff dot exp float32 float64 floor hstack hypot int16 int32 int64 int8 linalg.norm log max maximum mean min
    minimum outer rad2deg radians round sign sin sqrt square stack sum tan tanh transpose uint16 uint32 uint64 uint8
    vstack
"""

_SIZES: Mapping[str, Callable[[Sequence[Bound]], float]] = {
    **dict.fromkeys(("dict", "frozenset", "list", "re.compile", "set", "tuple"), _total),
    "range": _count,
    "numpy.arange": lambda _parts: math.inf,  # unless `_length_of_range` knows its arguments
    **dict.fromkeys((f"math.{name}" for name in _MATHEMATICS.split()), _one),
    **dict.fromkeys((f"numpy.{name}" for name in _ELEMENTWISE.split()), _items),
    **dict.fromkeys((f"numpy.{name}" for name in ("full", "ones", "zeros")), _shape),
    "numpy.linspace": lambda parts: (_SAMPLES + _count(parts)) * _items(parts),
    "numpy.diag": lambda parts: _power(_items(parts), 2.0),
    "numpy.eye": lambda parts: _power(_shape(parts), 2.0),
    "numpy.identity": lambda parts: _power(_shape(parts), 2.0),
}
"""Size of the result of each function that a constant may call, computed from its arguments."""

_ROUNDED = ("math.ceil", "math.floor", "math.trunc")
"""Functions that convert a float to an integer, as do some functions of numpy."""

_COMPUTED = 1e19
"""Bound of an integer that a function computes from a float: the limit of 64 bits."""


def called_path(function: ast.expr, imports: Imports) -> str:
    """Returns the path of a function that creates a value, such as `set` and `math.radians`, or "" for others.

    The method `split` of a literal string is such a function too.
    """
    if isinstance(function, ast.Attribute) and function.attr == "split" and _is_text(function.value):
        return "split"
    path = path_of(function, imports) or (function.id if isinstance(function, ast.Name) else "")
    return path if path in _SIZES else ""


def bound_of(node: ast.expr, imports: Imports, bounds: Bounds) -> Bound:
    """Returns the bound of an expression that `is_literal` accepts.

    Args:
        node: The expression.
        imports: Imports of the source.
        bounds: Bounds of the constants that are defined before the expression.
    """
    match node:
        case ast.Constant(value=value):
            return _bound_of_literal(value)
        case ast.Name(id=name) if name in bounds:
            return bounds[name]
        case ast.Name() | ast.Attribute():
            return _bound_of_path(node, imports, bounds)
        case ast.BinOp(left=left, op=op, right=right):
            bound = _combined(op, bound_of(left, imports, bounds), bound_of(right, imports, bounds))
            return bound if bound.allowed else _ENDLESS
    parts = [bound_of(part, imports, bounds) for part in _operands(node)]
    whole = max((part.whole for part in parts), default=1.0)
    match node:
        case ast.UnaryOp():
            return parts[0]
        case ast.Call(func=function):
            path = called_path(function, imports)
            if path == "numpy.arange" and (length := _length_of_range(node)) is not None:
                return Bound(_COMPUTED, 1.0 + length)
            rounds = path in _ROUNDED or path.startswith("numpy.")
            return Bound(_COMPUTED if rounds else whole, _SIZES.get(path, _total)(parts))
    return Bound(whole, _total(parts))


def _length_of_range(call: ast.Call) -> float | None:
    """Returns the number of values of `numpy.arange`. Returns None if its arguments are not two or three numbers."""
    try:
        start, stop, step = (ast.literal_eval(argument) for argument in (*call.args, ast.Constant(1))[:3])
        return max(0.0, float((stop - start) / step))
    except (TypeError, ValueError, ArithmeticError):
        return None


def _operands(node: ast.expr) -> Iterator[ast.expr]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.keyword):
            yield child.value
        elif isinstance(child, ast.expr) and not (isinstance(node, ast.Call) and child is node.func):
            yield child
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_text(node.func.value):
        yield node.func.value


def _bound_of_literal(value: object) -> Bound:
    if isinstance(value, (str, bytes)):
        return Bound(1.0, 1.0 + len(value))
    if isinstance(value, int):
        return Bound(max(1.0, float(abs(value)))) if value.bit_length() < 1000 else _ENDLESS
    return Bound()


def _bound_of_path(node: ast.expr, imports: Imports, bounds: Bounds) -> Bound:
    """Returns the bound of a name or an attribute. Names that are not constants are types and functions."""
    path = path_of(node, imports)
    if path:
        return _IMPORTED.get(path.partition(".")[0], _OTHER_IMPORTED)
    if not isinstance(node, ast.Attribute):
        return Bound()
    return bound_of(node.value, imports, bounds).joined(bounds.get(f".{node.attr}", Bound()))


def _combined(op: ast.operator, left: Bound, right: Bound) -> Bound:
    """Returns the bound of an operation. The shapes of two arrays can multiply, as those of a row and a column."""
    size = left.size * right.size
    match op:
        case ast.Add() | ast.Sub() | ast.BitOr():
            return Bound(left.whole + right.whole, size)
        case ast.Mult():
            repeated = [one.size * other.whole for one, other in ((left, right), (right, left)) if one.size > 1.0]
            return Bound(left.whole * right.whole, max(size, *repeated, 1.0))
        case ast.Div():
            return Bound(1.0, size)
        case ast.FloorDiv():
            return Bound(left.whole, size)
        case ast.Mod() if left.size == 1.0:  # a format can ask for any width
            return Bound(right.whole, size)
        case ast.Pow() if right.size == 1.0 and right.whole <= _LARGEST_EXPONENT:
            return Bound(_power(left.whole, right.whole), left.size)
    return _ENDLESS


def _power(base: float, exponent: float) -> float:
    try:
        return float(base**exponent)
    except OverflowError:
        return math.inf


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)
