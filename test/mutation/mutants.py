"""Creates mutants. Each mutant is one change to the syntax tree of a source file, and compiles.

The operators are the usual ones (PIT, Cosmic Ray): boundaries and negations of comparisons, boolean and arithmetic
operators, constants, removed statements, and functions that return None. Strings and log calls are not mutated, because
tests do not check their wording.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}

_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.Pow: ast.Mult,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.MatMult: ast.Mult,
}

_FOR_TYPE_CHECKERS = ("annotation", "returns", "decorator_list")
"""Fields of syntax tree nodes that are not mutated. Most decorator arguments only declare a dataclass as frozen."""

_LOG = "_log"
"""Name of the logger variable in each module of this project."""


@dataclass(frozen=True)
class Mutant:
    """Mutant: a source file with one change.

    Attributes:
        lines: Numbers of the changed lines, from 1.
        before: The original expression or statement, on one line.
        after: Its replacement.
        source: The complete changed source.
    """

    lines: range
    before: str
    after: str
    source: str

    def __str__(self) -> str:
        return f"{self.lines[0]}  {self.before}  ->  {self.after}"


def mutants_of(source: str) -> Iterator[Mutant]:
    """Yields all mutants of a source file, ordered by line."""
    text = source.encode()
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node, replacement in _changes(ast.parse(source)):
        begin = starts[node.lineno - 1] + node.col_offset
        end = starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)
        after = ast.unparse(replacement)
        written = f"({after})" if isinstance(replacement, ast.expr) else after
        changed = text[:begin] + written.encode() + text[end:]
        lines = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        yield Mutant(lines, ast.unparse(node), after, changed.decode())


def _changes(tree: ast.AST) -> Iterator[tuple[ast.expr | ast.stmt, ast.expr | ast.stmt]]:
    for node in _changeable(tree):
        if isinstance(node, ast.expr):
            yield from ((node, replacement) for replacement in _other_expressions(node))
        elif isinstance(node, ast.stmt):
            yield from ((node, replacement) for replacement in _other_statements(node))
        for test in _tests(node):
            yield test, ast.UnaryOp(ast.Not(), test)


def _changeable(node: ast.AST) -> Iterator[ast.AST]:
    """Yields a node and its descendants. Omits formatted strings, log calls and type annotations."""
    if isinstance(node, ast.JoinedStr) or _is_log_call(node):
        return
    yield node
    for name, value in ast.iter_fields(node):
        if name in _FOR_TYPE_CHECKERS:
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _changeable(child)


def _is_log_call(node: ast.AST) -> bool:
    match node:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name)))):
            return name == _LOG
    return False


def _tests(node: ast.AST) -> list[ast.expr]:
    """Returns the conditions of a node that should be negated.

    Conditions that another mutation operator negates are not included.
    """
    tests = [node.test] if isinstance(node, (ast.If, ast.While, ast.IfExp)) else []
    tests += node.ifs if isinstance(node, ast.comprehension) else []
    return [test for test in tests if not isinstance(test, ast.UnaryOp) and not _is_negated_elsewhere(test)]


def _is_negated_elsewhere(test: ast.expr) -> bool:
    """Returns whether another mutant already negates a comparison.

    For example, the mutant of `==` is its negation, but the mutant of `<` is not.
    """
    ordered = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
    return isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], ordered)


def _other_expressions(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Compare(left=left, ops=ops, comparators=comparators):
            for index, op in enumerate(ops):
                changed = [*ops[:index], _COMPARED[type(op)](), *ops[index + 1 :]]
                yield ast.Compare(left, changed, comparators)
        case ast.BoolOp(op=op, values=values):
            yield ast.BoolOp(ast.Or() if isinstance(op, ast.And) else ast.And(), values)
        case ast.UnaryOp(op=ast.Not() | ast.USub() | ast.Invert(), operand=operand):
            yield operand
        case ast.BinOp(left=left, op=op, right=right) if not (_is_text(left) or _is_text(right)):
            yield ast.BinOp(left, _COMPUTED[type(op)](), right)
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Constant(value=float(value)):
            yield ast.Constant(2.0 * value or 1.0)


def _other_statements(node: ast.stmt) -> Iterator[ast.stmt]:
    match node:
        case ast.Return(value=ast.expr() as value) if not (isinstance(value, ast.Constant) and not value.value):
            yield ast.Return(ast.Constant(None))
        case ast.Expr(value=ast.Yield() | ast.YieldFrom()):
            yield ast.Expr(ast.YieldFrom(ast.Tuple([], ast.Load())))  # keeps the function a generator
        case ast.Raise() | ast.Expr(value=ast.Call() | ast.Await()) | ast.Delete():
            yield ast.Pass()
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]) | ast.AugAssign():
            yield ast.Pass()
        case ast.Break():
            yield ast.Continue()
        case ast.Continue():
            yield ast.Break()


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
