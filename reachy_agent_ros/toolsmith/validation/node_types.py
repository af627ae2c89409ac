"""Which kinds of syntax a tool may be written in: an allow-list, so that what Python gains later is not in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reachy_agent_ros.toolsmith.validation.rejection import Complaint

_STATEMENTS = (
    ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.arguments, ast.arg, ast.Return, ast.Delete, ast.Assign,
    ast.AugAssign, ast.AnnAssign, ast.For, ast.AsyncFor, ast.While, ast.If, ast.With, ast.AsyncWith, ast.withitem,
    ast.Raise, ast.Try, ast.ExceptHandler, ast.Assert, ast.Import, ast.ImportFrom, ast.alias, ast.Nonlocal, ast.Expr,
    ast.Pass, ast.Break, ast.Continue, ast.Match, ast.match_case,
)  # fmt: skip

_EXPRESSIONS = (
    ast.BoolOp, ast.NamedExpr, ast.BinOp, ast.UnaryOp, ast.Lambda, ast.IfExp, ast.Dict, ast.Set, ast.ListComp,
    ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.comprehension, ast.Await, ast.Yield, ast.YieldFrom, ast.Compare,
    ast.Call, ast.keyword, ast.FormattedValue, ast.JoinedStr, ast.Constant, ast.Attribute, ast.Subscript, ast.Starred,
    ast.Name, ast.List, ast.Tuple, ast.Slice,
)  # fmt: skip

_PATTERNS = (
    ast.MatchValue, ast.MatchSingleton, ast.MatchSequence, ast.MatchMapping, ast.MatchStar, ast.MatchAs, ast.MatchOr,
)  # fmt: skip

ALLOWED = (
    *_STATEMENTS, *_EXPRESSIONS, *_PATTERNS, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip

_SURROGATE = re.compile("[\ud800-\udfff]")

_INSTEAD = {
    "ClassDef": "classes are not allowed; use functions and dictionaries",
    "Global": "global is not allowed; pass values in and return them",
    "MatchClass": "class patterns are not allowed; use isinstance in an if",
    "TryStar": "except* is not allowed; use except",
}


def node_complaints(tree: ast.Module) -> Iterator[Complaint]:
    """Complaints of syntax that no tool may use."""
    line = 1
    for node in ast.walk(tree):
        line = getattr(node, "lineno", line)
        if not isinstance(node, ALLOWED):
            kind = type(node).__name__
            yield Complaint(line, _INSTEAD.get(kind, f"the syntax {kind} is not allowed; write it more plainly"))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and _SURROGATE.search(node.value):
            yield Complaint(line, "this text has half of a character, which nobody can write; use \\U and eight digits")
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                if not _remembers(decorator):
                    message = "no decorators but functools.cache are allowed; call the function instead"
                    yield Complaint(decorator.lineno, message)


def _remembers(decorator: ast.expr) -> bool:
    """Whether it is `cache` or `lru_cache`, which recursive helpers are often written with."""
    match decorator:
        case ast.Call(func=called):
            return _remembers(called)
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name in ("cache", "lru_cache")
    return False
