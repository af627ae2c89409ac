from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from mutation.code_swap import swap

SOURCE = """
import functools

LIMIT = 3

def kept(function):
    @functools.wraps(function)
    def inner(*arguments):
        return function(*arguments)
    return inner

@kept
def doubled(x):
    return 2 * x

class Box:
    size = 1

    @property
    def whole(self):
        return [n + 1 for n in range(self.size)]
"""


@pytest.fixture
def module(tmp_path: Path) -> ModuleType:
    path = tmp_path / "box.py"
    path.write_text(SOURCE)
    specification = importlib.util.spec_from_file_location("box", path)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.nightly
def test_code_swap_affects_existing_references_to_functions(module: ModuleType) -> None:
    held, box = module.doubled, module.Box()
    other = SOURCE.replace("2 * x", "3 * x").replace("n + 1", "n - 1")
    assert swap(str(module.__file__), SOURCE, other)
    assert (held(5), box.whole) == (15, [-1])


@pytest.mark.parametrize(("part", "other"), [("LIMIT = 3", "LIMIT = 4"), ("size = 1", "size = True")])
def test_code_swap_rejects_change_of_value_computed_at_import(module: ModuleType, part: str, other: str) -> None:
    assert not swap(str(module.__file__), SOURCE, SOURCE.replace(part, other))


@pytest.mark.slow
def test_code_swap_rejects_change_of_closure(module: ModuleType) -> None:
    assert not swap(str(module.__file__), SOURCE, SOURCE.replace("return function(*arguments)", "return None"))
    assert module.doubled(5) == 10
