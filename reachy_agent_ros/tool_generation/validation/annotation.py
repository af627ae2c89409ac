"""Type annotations of a tool's parameters.

They are read from the syntax tree, because evaluating them would run code.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any

TypeDescription = str | list[Any]
"""Type as a JSON value that a reading process can send. `program.type_of` converts it to a type.

It is one of `any`, `none`, `bool`, `int`, `float`, `str`, or a list: `list`, `dict` (with string keys) or `tuple_of`
with the type of the items; `tuple` or `union` with types; `literal` with values.
"""

_ALLOWED = "int, float, str, bool, list[...], dict[str, ...], tuple[...], Literal[...], Any, or X | None"

_LISTS = ("list", "List", "Sequence", "Iterable", "Collection")
_DICTIONARIES = ("dict", "Dict", "Mapping")
_TUPLES = ("tuple", "Tuple")

_PLAIN: Mapping[str, TypeDescription] = {
    **{name: name for name in ("bool", "float", "int", "str")},
    **dict.fromkeys(("Any",), "any"),
    **{name: ["list", "any"] for name in _LISTS},
    **{name: ["dict", "any"] for name in _DICTIONARIES},
    **{name: ["tuple_of", "any"] for name in _TUPLES},
    "None": "none",
}
"""Types by the last part of their name, so that `typing.List` is `List`: names are not resolved."""


def described_annotation(node: ast.expr) -> TypeDescription:
    """Returns the argument type that an annotation describes.

    Raises:
        ValueError: JSON arguments cannot have this type. The message says what is allowed.
    """
    match node:
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value=str(text)):
            return described_annotation(_parsed(text))
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return ["union", described_annotation(left), described_annotation(right)]
        case ast.Subscript(value=base, slice=ast.Tuple(elts=parts)):
            return _generic(name_of(base), parts)
        case ast.Subscript(value=base, slice=part):
            return _generic(name_of(base), [part])
    if (name := name_of(node)) in _PLAIN:
        return _PLAIN[name]
    hint = ""
    if name in ("ndarray", "NDArray"):
        hint = "; arguments are passed as JSON: use list[float], and convert it with numpy.array"
    raise ValueError(f"{ast.unparse(node):.60} is not a valid argument type; use {_ALLOWED}{hint}")


def name_of(node: ast.expr) -> str:
    """Returns the last part of a dotted name, which may be quoted. Returns "" if the expression is not a name.

    Raises:
        ValueError: The quoted text is not an expression.
    """
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Constant(value=str(text)):
            return name_of(_parsed(text))
    return ""


def is_dictionary(node: ast.expr) -> bool:
    """Returns whether an annotation is `dict`, `dict[...]`, `Dict` or `Dict[...]`. It may be quoted.

    Raises:
        ValueError: The quoted text is not an expression.
    """
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return is_dictionary(_parsed(node.value))
    return name_of(node.value if isinstance(node, ast.Subscript) else node) in ("dict", "Dict")


def fits(value: Any, described: TypeDescription) -> bool:
    """Returns whether a JSON value is valid for an argument type."""
    match described:
        case str():
            return described in _FITS and _FITS[described](value)
        case ["literal", *values]:
            return any(type(one) is type(value) and one == value for one in values)
        case ["union", *options]:
            return any(fits(value, option) for option in options)
        case ["dict", part]:
            return isinstance(value, dict) and all(fits(one, part) for one in value.values())
        case ["tuple", *parts]:
            return isinstance(value, list) and len(value) == len(parts) and all(map(fits, value, parts))
        case ["list" | "tuple_of", part]:
            return isinstance(value, list) and all(fits(one, part) for one in value)
    return False


_FITS: Mapping[str, Callable[[Any], bool]] = {
    "any": lambda value: True,
    "none": lambda value: value is None,
    "bool": lambda value: isinstance(value, bool),
    "str": lambda value: isinstance(value, str),
    "int": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "float": lambda value: isinstance(value, (int, float)) and not isinstance(value, bool),
}
"""Functions that check values of types without parts."""


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, UnicodeEncodeError):  # the latter for a lone surrogate
        raise ValueError(f"{text!r:.60} is not a valid argument type; use {_ALLOWED}") from None


def _generic(name: str, parts: Sequence[ast.expr]) -> TypeDescription:
    """Returns the argument type for an annotation of the form `name[parts]`."""
    if name in _LISTS:
        _require(len(parts) == 1, "a list must have one type, such as list[float]")
        return ["list", described_annotation(parts[0])]
    if name in _DICTIONARIES:
        _require(len(parts) == 2 and name_of(parts[0]) == "str", "keys of a dict must be str, as in dict[str, float]")
        return ["dict", described_annotation(parts[1])]
    if name in _TUPLES:
        match parts:
            case [item, ast.Constant(value=value)] if value is Ellipsis:
                return ["tuple_of", described_annotation(item)]
        return ["tuple", *map(described_annotation, parts)]
    if name == "Literal":
        return ["literal", *_literals(parts)]
    if name == "Optional":
        _require(len(parts) == 1, "Optional takes one type")
        return ["union", described_annotation(parts[0]), "none"]
    if name == "Union":
        return ["union", *map(described_annotation, parts)]
    raise ValueError(f"{name:.60}[...] is not a valid argument type; use {_ALLOWED}")


def _literals(parts: Sequence[ast.expr]) -> list[str | int]:
    try:
        values = [ast.literal_eval(part) for part in parts]
    except (ValueError, TypeError):
        values = [b""]
    _require(all(isinstance(value, (str, int)) for value in values), "Literal must contain strings or integers")
    return values


def _require(right: bool, message: str) -> None:
    if not right:
        raise ValueError(message)
