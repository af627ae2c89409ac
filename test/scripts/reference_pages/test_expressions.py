"""Tests of the static evaluation of expressions in source code."""

import ast

from scripts.reference_pages.expressions import Values, calls

SOURCE = """
def build(node, count):
    label = PREFIX + "x"
    for name, (low, high) in TABLE.items():
        node.add(name, low, high)
    node.add(label, count, LIMIT)
    return [node.add(one, 0, LIMIT) for one in ("p", "q")]
"""
NAMESPACE = {"PREFIX": "pre_", "LIMIT": 5, "TABLE": {"a": (1, 2), "b": (3, 4)}}


def found_calls() -> list[tuple[ast.Call, Values]]:
    (function,) = ast.parse(SOURCE).body
    assert isinstance(function, ast.FunctionDef)
    return [
        (call, values)
        for call, values in calls(function, Values(NAMESPACE, function))
        if isinstance(call.func, ast.Attribute) and call.func.attr == "add"
    ]


def test_call_in_loop_over_constants_is_expanded() -> None:
    looped = [found_calls()[number] for number in (0, 1)]
    assert [[values.of(argument) for argument in call.args] for call, values in looped] == [["a", 1, 2], ["b", 3, 4]]


def test_local_names_and_module_names_are_evaluated() -> None:
    call, values = found_calls()[2]
    assert (values.of(call.args[0]), values.of(call.args[2])) == ("pre_x", 5)


def test_function_argument_is_not_evaluated_as_constant() -> None:
    call, values = found_calls()[2]
    assert [values.is_constant(argument) for argument in call.args] == [False, False, True]


def test_call_in_list_comprehension_is_expanded() -> None:
    assert [values.of(call.args[0]) for call, values in found_calls()[3:]] == ["p", "q"]
