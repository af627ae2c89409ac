"""Checks of a tool's syntax: allowed kinds of nodes, decorators and classes.

The kinds of nodes are an allow-list, so that new syntax in Python is excluded. A class may be defined if its
definition runs no code, without inheritance from library classes. Special methods are also an allow-list: `__exit__`
receives a traceback; `__getattr__`, `__new__` and `__set_name__` run without a visible call; `__eq__` and `__hash__`
can misrepresent values.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reachy_agent_ros.tool_generation.validation.attributes import path_of
from reachy_agent_ros.tool_generation.validation.imports import PREDECLARED, Imports, stored_names
from reachy_agent_ros.tool_generation.validation.names import BUILTINS, EXCEPTIONS
from reachy_agent_ros.tool_generation.validation.top_level import Function, evaluated, is_literal
from reachy_agent_ros.tool_generation.verdict import Complaint

_STATEMENTS = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.arguments, ast.arg, ast.Return, ast.Delete, ast.Assign,
    ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.withitem,
    ast.Raise, ast.Try, ast.ExceptHandler, ast.Assert, ast.Import, ast.ImportFrom, ast.alias, ast.Nonlocal, ast.Expr,
    ast.Pass, ast.Break, ast.Continue, ast.Match, ast.match_case, ast.ClassDef,
)  # fmt: skip

_EXPRESSIONS = (
    ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Await, ast.Yield, ast.YieldFrom, ast.Compare,
    ast.Call, ast.keyword, ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred,
    ast.Name, ast.List, ast.Tuple, ast.Slice,
)  # fmt: skip

_PATTERNS = (
    ast.MatchValue, ast.MatchSingleton, ast.MatchSequence, ast.MatchMapping, ast.MatchStar, ast.MatchAs, ast.MatchOr,
    ast.MatchClass,
)  # fmt: skip

_ALLOWED = (
    *_STATEMENTS, *_EXPRESSIONS, *_PATTERNS, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip

_SURROGATE = re.compile("[\ud800-\udfff]")

_INSTEAD = {
    "Global": "global is not allowed; pass values in and return them",
    "TryStar": "except* is not allowed; use except",
}


_FUNCTION_DECORATORS = frozenset(("functools.cache", "functools.lru_cache", "contextlib.contextmanager"))
"""Decorators that recursive helpers and small context managers often use."""

_SPECIAL = """
    __add__ __bool__ __contains__ __getitem__ __init__ __iter__ __len__ __lt__ __mul__ __neg__ __post_init__ __repr__
    __str__ __sub__ __truediv__"""

_SPECIAL_METHODS = frozenset(_SPECIAL.split())
"""Special methods that a class may define."""

_OF_ENUMERATIONS = frozenset(("__str__", "__repr__"))
"""Special methods that an enumeration may define. Others could run for its members while the tool is loaded."""

_DATACLASS = "dataclasses.dataclass"
_FIELD = "dataclasses.field"
_CLASS_DECORATORS = frozenset((_DATACLASS, "enum.unique"))
_RECORDS = frozenset(("typing.NamedTuple", "typing.TypedDict"))
_ENUMERATIONS = frozenset(("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag"))
_METHOD_DECORATORS = frozenset(("property", "staticmethod", "classmethod"))


def node_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about forbidden syntax."""
    of_methods = _method_decorators(tree)
    line = 1
    for node in ast.walk(tree):
        line = getattr(node, "lineno", line)
        if not isinstance(node, _ALLOWED):
            kind = type(node).__name__
            yield Complaint(line, _INSTEAD.get(kind, f"the syntax {kind} is not allowed; use simpler syntax"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _SURROGATE.search(node.value):
            yield Complaint(line, "this text contains a lone surrogate (half of a character); use \\U and eight digits")
        if isinstance(node, Function):
            for decorator in node.decorator_list:
                if id(decorator) not in of_methods and _called_path(decorator, imports) not in _FUNCTION_DECORATORS:
                    message = "the only decorators allowed are functools.cache, lru_cache and contextmanager"
                    message += "; call the function instead"
                    yield Complaint(decorator.lineno, message)


def special_methods(tree: ast.Module) -> frozenset[int]:
    """Returns the `id` of every method whose special name is allowed."""
    return frozenset(
        id(method)
        for method in _methods(tree)
        if isinstance(method, ast.FunctionDef) and method.name in _SPECIAL_METHODS
    )


def class_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about forbidden classes, and about `dataclass` or `unique` outside of class decorators."""
    defined = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    names = [node.name for node in defined]
    taken = {name for _, name in stored_names(tree)} | imports.keys() | BUILTINS | PREDECLARED
    decorators: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            decorators.update(id(part) for decorator in node.decorator_list for part in ast.walk(decorator))
            if node not in defined:
                yield Complaint(node.lineno, "a class must be defined at the top level, not in a function or a class")
            elif node.name in taken or names.count(node.name) > 1:
                yield Complaint(node.lineno, f"the name of the class {node.name:.60} also has another meaning")
            yield from _complaints(node, frozenset(names), imports)
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Attribute)) or id(node) in decorators:
            continue
        if path_of(node, imports) in _CLASS_DECORATORS:
            yield Complaint(node.lineno, "dataclass and unique are class decorators; write @dataclass above a class")


def _method_decorators(tree: ast.Module) -> frozenset[int]:
    """Returns the `id` of every decorator that is allowed only for methods, such as `property`."""
    return frozenset(
        id(decorator)
        for method in _methods(tree)
        for decorator in method.decorator_list
        if _is_method_decorator(decorator, method.name)
    )


def _methods(tree: ast.Module) -> Iterator[Function]:
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            yield from (part for part in node.body if isinstance(part, Function))


def _complaints(node: ast.ClassDef, own: frozenset[str], imports: Imports) -> Iterator[Complaint]:
    bases = [path_of(base, imports) or (base.id if isinstance(base, ast.Name) else "") for base in node.bases]
    is_enumeration = any(base in _ENUMERATIONS for base in bases)
    is_record = any(_called_path(one, imports) == _DATACLASS for one in node.decorator_list)
    if not _may_inherit(bases, own) or getattr(node, "type_params", []):
        message = "only from classes in this source, exceptions, NamedTuple, TypedDict or Enum"
        yield Complaint(node.lineno, f"the class {node.name:.60} may inherit {message}")
    if not all(one.arg == "total" and isinstance(one.value, ast.Constant) for one in node.keywords):
        yield Complaint(node.lineno, f"the class {node.name:.60} must not have a metaclass or other arguments")
    for decorator in node.decorator_list:
        if not _decorates(decorator, imports):
            message = "the only class decorators allowed are dataclass, with plain options, and enum.unique"
            yield Complaint(decorator.lineno, message)
    for part in node.body:
        if isinstance(part, Function):
            if is_enumeration and part.name.startswith("_") and part.name not in _OF_ENUMERATIONS:
                yield Complaint(part.lineno, f"an enumeration may not define {part.name:.60}; write a function")
            if not all(is_literal(one, imports) for one in evaluated(part)):
                message = f"defaults and annotations of {part.name:.60} must be literal; compute in the method"
                yield Complaint(part.lineno, message)
        elif not _is_field(part, imports, is_record):
            message = "a class may contain only methods and fields with literal values; compute the rest in a method"
            yield Complaint(part.lineno, message)
    yield from _reads_of_fields(node, imports)


def _may_inherit(bases: list[str], own: frozenset[str]) -> bool:
    match bases:
        case [] | ["str" | "int", "enum.Enum"]:
            return True
        case [base]:
            return base in _RECORDS or base in _ENUMERATIONS or base in EXCEPTIONS or base in own
    return all(base in own for base in bases)


def _decorates(decorator: ast.expr, imports: Imports) -> bool:
    if isinstance(decorator, ast.Call):
        plain = all(one.arg and isinstance(one.value, ast.Constant) for one in decorator.keywords)
        return plain and not decorator.args and path_of(decorator.func, imports) == _DATACLASS
    return path_of(decorator, imports) in _CLASS_DECORATORS


def _is_method_decorator(decorator: ast.expr, method: str) -> bool:
    match decorator:
        case ast.Name(id=name):
            return name in _METHOD_DECORATORS
        case ast.Attribute(value=ast.Name(id=name), attr="setter"):
            return name == method
    return False


def _reads_of_fields(node: ast.ClassDef, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about code in the class body that reads a field defined with `field(...)`.

    A field contains the annotated type, so a stored copy would turn a type that is only for annotations into a value.
    """
    fields = {
        part.target.id
        for part in node.body
        if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name) and _is_field_call(part.value, imports)
    }
    for part in node.body:
        evaluated_now = [part] if not isinstance(part, Function) else evaluated(part)
        for one in (each for whole in evaluated_now for each in ast.walk(whole)):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load) and one.id in fields:
                yield Complaint(one.lineno, f"the field {one.id:.60} cannot be read where the class is defined")


def _called_path(decorator: ast.expr, imports: Imports) -> str:
    """Returns the dotted path of a decorator, which may have arguments."""
    return path_of(decorator.func if isinstance(decorator, ast.Call) else decorator, imports)


def _is_field_call(value: ast.expr | None, imports: Imports) -> bool:
    return isinstance(value, ast.Call) and path_of(value.func, imports) == _FIELD


def _is_field(part: ast.stmt, imports: Imports, is_record: bool) -> bool:
    """Returns whether a statement other than a method is allowed in a class body.

    Annotated fields, constants, docstrings and `pass` are allowed.
    """
    match part:
        case ast.Pass() | ast.Expr(value=ast.Constant()):
            return True
        case ast.AnnAssign(target=ast.Name(), annotation=annotation, value=value):
            if not is_literal(annotation, imports):
                return False
            return value is None or _is_value(value, imports) or (is_record and _is_plain_field(value, imports))
        case ast.Assign(targets=[ast.Name()], value=value):
            return _is_value(value, imports)
    return False


def _is_value(value: ast.expr, imports: Imports) -> bool:
    """Returns whether an expression is a literal or `auto()`."""
    match value:
        case ast.Call(func=function, args=[], keywords=[]) if path_of(function, imports) == "enum.auto":
            return True
    return is_literal(value, imports)


def _is_plain_field(value: ast.expr, imports: Imports) -> bool:
    """Returns whether an expression is `field(...)` with literal arguments.

    A lambda is also allowed, because it is called later.
    """
    if not isinstance(value, ast.Call) or not _is_field_call(value, imports) or value.args:
        return False
    return all(
        one.arg is not None and (isinstance(one.value, ast.Lambda) or is_literal(one.value, imports))
        for one in value.keywords
    )
