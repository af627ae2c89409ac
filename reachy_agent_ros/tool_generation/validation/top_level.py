"""Top level of a tool's source: imports, classes, functions, and literal constants. Two constants set limits."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from reachy_agent_ros.tool_generation.job import MEBIBYTE, Limits
from reachy_agent_ros.tool_generation.validation.constant_size import Bound, Bounds, bound_of, called_path
from reachy_agent_ros.tool_generation.validation.imports import Imports
from reachy_agent_ros.tool_generation.verdict import Complaint

Function = ast.FunctionDef | ast.AsyncFunctionDef
"""Kinds of functions that can be a tool. Both are called in the same way."""

_TIME_LIMIT = "TIME_LIMIT_S"
"""Constant that sets the time limit of a run, s."""

_MEMORY_LIMIT = "MEMORY_MB"
"""Constant that sets the memory limit of a run, MiB."""

_PARTS = (
    ast.Constant, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.UnaryOp, ast.BinOp, ast.Name, ast.Attribute,
    ast.Subscript, ast.keyword, ast.expr_context, ast.operator, ast.unaryop,
)  # fmt: skip
"""Nodes that constants, defaults and annotations may contain, in addition to calls that create a value."""

_ARITHMETIC: Mapping[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


def public_functions(tree: ast.Module) -> list[Function]:
    """Returns the public functions, one of which is the tool."""
    return [
        statement for statement in tree.body if isinstance(statement, Function) and not statement.name.startswith("_")
    ]


def constants(tree: ast.Module) -> Mapping[str, ast.expr]:
    """Returns the value expressions of the top-level constants by name."""
    found = {}
    for statement in tree.body:
        name, value = _assigned(statement)
        if name and value is not None:
            found[name] = value
    return found


def top_level_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Yields complaints about forbidden statements and large constants, and about the number of public functions.

    Exactly one public function is required.
    """
    for position, statement in enumerate(tree.body):
        yield from _statement_complaints(statement, position == 0, imports)
    public = public_functions(tree)
    if not public:
        yield Complaint(1, "there is no public function; define one: def name(...) -> dict")
    for other in public[1:]:
        message = f"{other.name:.60} is a second public function after {public[0].name:.60}; only one can be the tool"
        yield Complaint(other.lineno, f"{message}, so rename the others to _name")
    yield from size_complaints(tree.body, imports, {})
    for statement in tree.body:
        if public and statement is not public[0] and public[0].name in _bound(statement):
            message = f"{public[0].name:.60} is the tool's function, but means something else here"
            yield Complaint(statement.lineno, f"{message}; choose another name")


def evaluated(function: Function) -> Iterator[ast.expr]:
    """Yields the parts of a function that Python evaluates when it defines the function, except decorators."""
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg]
    annotations = [argument.annotation for argument in every if argument]
    for part in (*arguments.defaults, *arguments.kw_defaults, *annotations, function.returns):
        if part is not None:
            yield part


def read_limits(constants: Mapping[str, ast.expr], complaints: list[Complaint]) -> Limits:
    """Returns the limits that the source sets, or their defaults. Adds a complaint for each invalid limit."""
    limits = Limits()
    for name in (_TIME_LIMIT, _MEMORY_LIMIT):
        if (node := constants.get(name)) is None:
            continue
        try:
            number = _number(node, constants)
            limits = (
                Limits(number, limits.memory) if name == _TIME_LIMIT else Limits(limits.time, int(number * MEBIBYTE))
            )
        except ValueError as error:
            complaints.append(Complaint(node.lineno, f"{name}: {error}"))
    return limits


def is_literal(node: ast.expr, imports: Imports) -> bool:
    """Returns whether an expression consists of literals, names, arithmetic and calls that create a value.

    Such an expression has no effect when a tool is loaded. `size_complaints` limits its cost.
    """
    return all(
        isinstance(part, _PARTS) or (isinstance(part, ast.Call) and called_path(part.func, imports) != "")
        for part in ast.walk(node)
    )


def size_complaints(body: Iterable[ast.stmt], imports: Imports, earlier: Bounds) -> Iterator[Complaint]:
    """Yields complaints about literal values that would take much time or memory when a tool is loaded.

    Args:
        body: Statements of a module or a class.
        imports: Imports of the source.
        earlier: Bounds of the constants that are defined before the statements. The constants of the statements are
            added.
    """
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            own = dict(earlier)
            yield from size_complaints(statement.body, imports, own)
            for name, bound in own.items():
                _add(earlier, f".{name.removeprefix('.')}", bound)
            continue
        for expression in _loaded(statement, imports):
            bound = bound_of(expression, imports, earlier)
            if not bound.allowed:
                yield Complaint(expression.lineno, f"{_subject(statement)}; compute it in the function")
            if name := _assigned(statement)[0]:
                _add(earlier, name, bound)


def literal_value(node: ast.expr, named: Mapping[str, ast.expr]) -> Any:
    """Evaluates a literal, a sum, difference, product or quotient of numbers, or the name of such a constant.

    Args:
        node: Expression to evaluate.
        named: Constants of the source.

    Raises:
        ValueError: The expression is of another kind.
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
        raise ValueError("it is not a literal value") from None


def _statement_complaints(statement: ast.stmt, first: bool, imports: Imports) -> Iterator[Complaint]:
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.ClassDef)):
        return
    if isinstance(statement, Function):
        if not all(is_literal(part, imports) for part in evaluated(statement)):
            message = f"defaults and annotations of {statement.name:.60} must be literal; compute in the function"
            yield Complaint(statement.lineno, message)
        return
    if first and isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
        return  # docstring of the module
    name, value = _assigned(statement)
    if not name:
        message = "only imports, constants, classes and functions may be at the top level; move this into a function"
        yield Complaint(statement.lineno, message)
    elif value is None or not is_literal(value, imports):
        message = f"the constant {name:.60} must have a literal value; compute it in the function"
        yield Complaint(statement.lineno, message)


def _loaded(statement: ast.stmt, imports: Imports) -> Iterator[ast.expr]:
    """Yields the literal values, defaults and annotations that Python evaluates when it loads a statement."""
    expressions = list(evaluated(statement)) if isinstance(statement, Function) else []
    if isinstance(statement, ast.AnnAssign):
        expressions.append(statement.annotation)
    match _assigned(statement)[1]:
        case ast.Call(keywords=keywords) as call if not is_literal(call, imports):  # field(default=...) of a dataclass
            expressions += [keyword.value for keyword in keywords]
        case ast.expr() as value:
            expressions.append(value)
    return (one for one in expressions if is_literal(one, imports))


def _subject(statement: ast.stmt) -> str:
    if isinstance(statement, Function):
        return f"defaults and annotations of {statement.name:.60} must be small"
    return f"the constant {_assigned(statement)[0]:.60} must have a literal value that is small"


def _add(bounds: Bounds, name: str, bound: Bound) -> None:
    """Adds a constant. Another value, or an attribute of another class, may have the same name."""
    bounds[name] = bound.joined(bounds.get(name, Bound()))


def _bound(statement: ast.stmt) -> list[str]:
    """Returns the names that a constant definition or an import binds."""
    if isinstance(statement, (ast.Import, ast.ImportFrom)):
        return [one.asname or one.name.partition(".")[0] for one in statement.names]
    return [_assigned(statement)[0]]


def _assigned(statement: ast.stmt) -> tuple[str, ast.expr | None]:
    """Returns the name and value of a constant definition. The name is empty for other statements."""
    match statement:
        case (
            ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(target=ast.Name(id=name), value=value)
        ):
            return name, value
    return "", None


def _number(node: ast.expr, constants: Mapping[str, ast.expr]) -> float:
    value = literal_value(node, constants)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0 <= value < 1e9:
        raise ValueError("it must be a plain number")
    return float(value)


def _computed(kind: type[ast.operator], left: Any, right: Any) -> Any:
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        raise ValueError("it is not a literal value")  # a string times a number can fill the memory too
    try:
        value = _ARITHMETIC[kind](left, right)
        float(value)  # an integer could double its digits again and again
    except ArithmeticError:
        raise ValueError("it has no finite value") from None
    return value
