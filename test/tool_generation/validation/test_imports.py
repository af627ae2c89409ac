from importlib import import_module
from types import ModuleType

import pytest

from reachy_agent_ros.tool_generation.guest import reachy_agent
from reachy_agent_ros.tool_generation.validation.imports import (
    MODULES,
    PREDECLARED,
    ROBOT,
    import_complaint,
    import_line,
    is_allowed,
    is_module,
    name_complaint,
)


@pytest.mark.parametrize("module", sorted(MODULES.keys() - ROBOT.keys()))
def test_allowed_names_exist_and_give_access_to_no_other_module(module: str) -> None:
    loaded = import_module(module)
    assert [name for name in MODULES[module] if not hasattr(loaded, name)] == []
    for name in dir(loaded):
        if is_allowed(module, name) and isinstance(getattr(loaded, name), ModuleType):
            assert is_module(f"{module}.{name}")


@pytest.mark.parametrize("module", sorted(ROBOT))
def test_allowed_names_of_replacement_modules_exist(module: str) -> None:
    inside = import_module(f"reachy_agent_ros.tool_generation.guest.{module}")
    assert [name for name in MODULES[module] if not hasattr(inside, name)] == []


def test_predeclared_names_match_replacement_module() -> None:
    assert frozenset(reachy_agent.__all__) == PREDECLARED


@pytest.mark.parametrize(
    ("path", "instead"),
    [
        ("glob", "tools cannot keep files; return the data instead"),
        ("concurrent.futures", "use asyncio.gather"),  # the hint for a package also applies to its modules
        ("reachy_mini.apps.app", "a tool is one function"),
    ],
)
def test_import_error_suggests_alternative(path: str, instead: str) -> None:
    assert import_complaint(path) == f"{path} cannot be imported; {instead}"


def test_import_error_lists_allowed_modules() -> None:
    complaint = import_complaint("n" * 100)
    assert complaint.startswith(f"{'n' * 60} cannot be imported; a tool may import: ")
    allowed = complaint.partition("import: ")[2].split(", ")
    assert allowed == sorted(module for module in MODULES if "." not in module and module != "__future__")


@pytest.mark.parametrize(
    ("module", "name", "instead"),
    [
        ("math", "squrt", "similar: math.sqrt"),
        ("statistics", "median_of", "similar: statistics.median"),
        ("time", "zzz", "available: "),
        ("numpy", "zzz", "compute it another way"),
    ],
)
def test_error_for_unknown_name_suggests_similar_names(module: str, name: str, instead: str) -> None:
    assert name_complaint(module, name).startswith(f"{module}.{name} cannot be used; {instead}")


def test_error_for_unknown_name_lists_all_names_of_small_module() -> None:
    few = min(MODULES, key=lambda module: len(MODULES[module]) or 99)
    assert name_complaint(few, "zzz") == f"{few}.zzz cannot be used; available: {', '.join(sorted(MODULES[few]))}"


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("math", "import math"),
        ("np", "import numpy as np"),
        ("ReachyMini", "from reachy_mini import ReachyMini"),
        ("create_head_pose", "from reachy_mini.utils import create_head_pose"),
        ("mean", ""),  # could be from statistics, from numpy, or a variable
        ("os", ""),
    ],
)
def test_error_suggests_missing_import_line(name: str, line: str) -> None:
    assert import_line(name) == line
