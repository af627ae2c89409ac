"""Which kinds of syntax a tool may be written in: an allow-list, so that what Python gains later is not in it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from reachy_agent_ros.tool_generation.validation.attributes import path_of
from reachy_agent_ros.tool_generation.validation.classes import method_decorators
from reachy_agent_ros.tool_generation.validation.imports import Imports
from reachy_agent_ros.tool_generation.validation.rejection import Complaint

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

ALLOWED = (
    *_STATEMENTS, *_EXPRESSIONS, *_PATTERNS, ast.expr_context, ast.boolop, ast.operator, ast.unaryop, ast.cmpop,
)  # fmt: skip

_SURROGATE = re.compile("[\ud800-\udfff]")

_INSTEAD = {
    "Global": "global is not allowed; pass values in and return them",
    "TryStar": "except* is not allowed; use except",
}


_DECORATORS = frozenset(("functools.cache", "functools.lru_cache", "contextlib.contextmanager"))
"""What recursive helpers and small context managers are often written with."""


def node_complaints(tree: ast.Module, imports: Imports) -> Iterator[Complaint]:
    """Complaints of syntax that no tool may use."""
    of_methods = method_decorators(tree)
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
                if id(decorator) not in of_methods and not _is_allowed(decorator, imports):
                    message = "no decorators but functools.cache and contextmanager are allowed"
                    message += "; call the function instead"
                    yield Complaint(decorator.lineno, message)


def _is_allowed(decorator: ast.expr, imports: Imports) -> bool:
    return path_of(decorator.func if isinstance(decorator, ast.Call) else decorator, imports) in _DECORATORS
