"""Constants whose value could fill the memory, and others that are small."""

from __future__ import annotations

import pytest

from support.tool_generation.validation_sources import IMPORTS, complaint, tool, validate

BEFORE = f"{IMPORTS}from dataclasses import dataclass, field\n"

LARGE = [
    "A = list(range(10**10))",
    "A = range(10**10)",
    "A = ((((9**64)**64)**64)**64)**64",
    "A = 9\n" + "A = A * A\n" * 30,
    "A = 'abc'\n" + "A = A + A\n" * 30,
    "A = np.array([0, 1])\n" + "A = np.c_[A, A]\n" * 30,
    "N = 10**9\nA = [0] * N",
    "N = 10**9\nclass C:\n    N = 1\nA = 'x' * N",
    "class C:\n    N = 10**9\nA = 'x' * C.N",
    "class C:\n    N = 10**9\n    A = 'x' * N",
    "@dataclass\nclass C:\n    A: str = field(default='x' * 10**9)",
    "A: list(range(10**10)) = 1",
    "A = '%999999999d' % 1",
    "A = 'x' * math.floor(math.exp(20))",
    "A = 'x' * np.int64(1e9)",
    "A = np.zeros((10**5, 10**5))",
    "A = np.eye(10**5)",
    "A = np.linspace(0, 1, 10**9)",
    "A = np.arange(0, 1000000000)",
    "SIZE = (10**5, 10**5)\nA = np.zeros(SIZE)",
    "A = dict(a='x' * 10**9, b=1)",
]

SMALL = [
    "24 * 60 * 60 * 10**9",
    "math.pi / 2",
    "2 * math.radians(30) * math.sin(math.radians(10))",
    "range(0, 3600, 5)",
    "list(range(100))",
    "('a', 'b') + ('c',)",
    "[0.0] * 100",
    "string.ascii_letters + string.digits",
    "np.array([[1, 2], [3, 4]]) * np.pi / 180",
    "np.deg2rad([-30, 0, 30])",
    "np.linspace(-180, 180, 361)",
    "np.arange(-40, 41, 10)",
    "np.arange(0.0, 1.0, 0.05)",
    "np.stack([np.cos(np.arange(0, 6)), np.sin(np.arange(0, 6))])",
    "np.zeros((480, 640), np.uint8)",
    "np.eye(4)",
    "{'a': {'b': (1700000000, -5.0)}, 'c': [True, None]}",
]


@pytest.mark.parametrize("constants", LARGE)
def test_rejects_constant_that_could_fill_memory(constants: str) -> None:
    assert "must have a literal value that is small" in complaint(tool("pass", f"{BEFORE}{constants}\n"))


@pytest.mark.parametrize("function", ["math.factorial(10**7)", "math.comb(10**7, 10**6)", "np.arange(0, 1, 1e-12)"])
def test_rejects_constant_from_function_whose_result_can_be_large(function: str) -> None:
    assert "the constant A must have a literal value" in complaint(tool("pass", f"{BEFORE}A = {function}\n"))


def test_rejects_large_default_of_helper_function() -> None:
    source = f"{BEFORE}def _h(y=list(range(10**10))): return y\n"
    assert "defaults and annotations of _h must be small" in complaint(tool("pass", source))


def test_rejects_large_default_of_method() -> None:
    source = f"{BEFORE}class C:\n    def m(self, y=list(range(10**10))): return y\n"
    assert "defaults and annotations of m must be small" in complaint(tool("pass", source))


def test_rejects_limit_computed_from_integer_of_endless_length() -> None:
    doubled = "".join(f"A{number + 1} = A{number} * A{number}\n" for number in range(12))
    assert "TIME_LIMIT_S: it has no finite value" in complaint(
        tool("pass", f"{BEFORE}A0 = 10**9 * 1\n{doubled}TIME_LIMIT_S = A12\n".replace("10**9", "1000000000"))
    )


@pytest.mark.parametrize("constant", SMALL)
def test_accepts_small_constant(constant: str) -> None:
    assert validate(tool("pass", f"{BEFORE}_VALUE = {constant}\n")).name == "probe"


def test_accepts_table_of_dataclass_objects_in_function() -> None:
    record = (
        "@dataclass(frozen=True)\nclass _Step:\n    angle: float\n    name: str = 'up'\n    tags: tuple = ('a',) * 3\n"
    )
    assert validate(tool("return {'table': [_Step(1.0), _Step(2.0)]}", BEFORE + record)).name == "probe"


def test_accepts_annotation_with_many_types() -> None:
    kinds = "datetime.date | datetime.time | list[int] | dict[str, int] | tuple[int, ...] | None"
    assert validate(tool("pass", f"{BEFORE}def _h(y: {kinds}): return y\n")).name == "probe"
