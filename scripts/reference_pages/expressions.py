"""Static evaluation of expressions in source code. The surrounding code is not run."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

Function = ast.FunctionDef | ast.AsyncFunctionDef


class Values:
    """Evaluator of expressions in a function, which may use names of the module and local names that are assigned once.

    Args:
        namespace: Names of the module and their values.
        function: Function of the expressions.
    """

    def __init__(self, namespace: Mapping[str, Any], function: Function) -> None:
        self._namespace = dict(namespace)
        self._locals = {
            target.id: node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and not any(isinstance(part, ast.Await) for part in ast.walk(node))
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        self._function = function

    def is_constant(self, expression: ast.expr) -> bool:
        """Returns whether an expression is a literal or a name of the module.

        Names of modules that the module imports also count.
        """
        match expression:
            case ast.Constant():
                return True
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)):
                return name in self._namespace and name not in self._locals
        return False

    def of(self, expression: ast.expr) -> Any:
        """Returns the value of an expression. Raises NameError or AttributeError if it is known only at run time."""
        needed = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)} & self._locals.keys()
        local = {name: self.of(self._locals[name]) for name in needed}
        program = compile(ast.Expression(expression), "<declaration>", "eval")
        return eval(program, self._namespace, local)  # noqa: S307 - evaluates this repository's own source

    def rounds(self, loop: ast.For | ast.comprehension) -> Iterator[Values]:
        """Yields an evaluator for each iteration of a loop over a constant of the module.

        Yields nothing for other loops.
        """
        if not isinstance(loop.target, ast.Name | ast.Tuple):
            return
        try:
            items = list(self.of(loop.iter))
        except (NameError, AttributeError):
            return
        for item in items:
            yield Values({**self._namespace, **_bound(loop.target, item)}, self._function)


def calls(function: Function, values: Values) -> Iterator[tuple[ast.Call, Values]]:
    """Yields every call in a function with an evaluator for its arguments.

    Calls in a loop are yielded once for each iteration.
    """
    for statement in function.body:
        yield from _calls(statement, values)


def _calls(node: ast.AST, values: Values) -> Iterator[tuple[ast.Call, Values]]:
    match node:
        case ast.For(body=body) if rounds := list(values.rounds(node)):
            parts: list[ast.AST] = [*body]
        case ast.ListComp(elt=element, generators=[loop]) if rounds := list(values.rounds(loop)):
            parts = [element]
        case _:
            rounds, parts = [values], list(ast.iter_child_nodes(node))
    if isinstance(node, ast.Call):
        yield node, values
    for one in rounds:
        for part in parts:
            yield from _calls(part, one)


def _bound(target: ast.expr, item: Any) -> dict[str, Any]:
    """Returns the names that an assignment to a target binds, with their values."""
    match target:
        case ast.Name(id=name):
            return {name: item}
        case ast.Tuple(elts=parts):
            pairs = [_bound(part, value) for part, value in zip(parts, item, strict=True)]
            return {name: value for pair in pairs for name, value in pair.items()}
    return {}
