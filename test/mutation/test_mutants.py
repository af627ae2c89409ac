from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mutation.mutants import mutants_of

REPOSITORY = Path(__file__).parents[2]


def changes(source: str) -> set[tuple[str, str]]:
    return {(mutant.before, mutant.after) for mutant in mutants_of(source)}


@pytest.mark.parametrize(
    ("source", "before", "after"),
    [
        ("y = a < b", "a < b", "a <= b"),
        ("y = a in b", "a in b", "a not in b"),
        ("y = a and b or c", "a and b", "a or b"),
        ("y = not a", "not a", "a"),
        ("y = -a", "-a", "a"),
        ("y = a + b", "a + b", "a - b"),
        ("y = True", "True", "False"),
        ("y = 3", "3", "4"),
        ("y = 0.5", "0.5", "1.0"),
        ("if a < b:\n    pass", "a < b", "not a < b"),
        ("def f():\n    return a", "return a", "return None"),
        ("def f():\n    yield a", "yield a", "yield from ()"),
        ("raise a", "raise a", "pass"),
        ("f()", "f()", "pass"),
        ("a.b = c", "a.b = c", "pass"),
        ("for a in b:\n    break", "break", "continue"),
    ],
)
def test_mutation_operator_is_applied(source: str, before: str, after: str) -> None:
    assert (before, after) in changes(source)


@pytest.mark.parametrize(
    "source",
    [
        "@dataclass(frozen=True)\nclass A: ...",
        "a: Literal[1]",
        "def f(a: Literal[1]) -> Literal[1]: ...",
        'y = f"{a + 1}"',
        "_log.warning(a)",
        'y = "a" + b',
    ],
)
def test_strings_and_log_calls_and_annotations_are_not_mutated(source: str) -> None:
    assert not changes(source)


def test_return_of_empty_value_is_not_mutated() -> None:
    assert not changes('def f():\n    return ""')


@pytest.mark.nightly
@pytest.mark.parametrize("path", ["robot/gate.py", "tool_generation/validation/annotation.py", "nlu/answer.py"])
def test_each_mutant_of_real_source_compiles_and_differs_from_it(path: str) -> None:
    source = (REPOSITORY / "reachy_agent_ros" / path).read_text()
    for mutant in mutants_of(source):
        assert ast.dump(ast.parse(mutant.source)) != ast.dump(ast.parse(source))


def test_mutant_lists_each_changed_line() -> None:
    (mutant,) = mutants_of("returned = (\n    a\n    and b\n)\n")
    assert (mutant.before, list(mutant.lines)) == ("a and b", [2, 3])
