from importlib import import_module
from types import ModuleType

import pytest

from reachy_agent_ros.toolsmith.inside import reachy_agent
from reachy_agent_ros.toolsmith.validation.modules import MODULES, is_allowed, is_module
from reachy_agent_ros.toolsmith.validation.robot_names import PREDECLARED, ROBOT


@pytest.mark.parametrize("module", sorted(MODULES.keys() - ROBOT.keys()))
def test_every_allowed_name_exists_and_leads_to_no_other_module(module: str) -> None:
    loaded = import_module(module)
    assert [name for name in MODULES[module] if not hasattr(loaded, name)] == []
    for name in dir(loaded):
        if is_allowed(module, name) and isinstance(getattr(loaded, name), ModuleType):
            assert is_module(f"{module}.{name}")


@pytest.mark.parametrize("module", ["cv2", "cv2.aruco"])
def test_names_allowed_by_their_shape_are_numbers(module: str) -> None:
    loaded = import_module(module)
    for name in dir(loaded):
        if is_allowed(module, name) and name not in MODULES[module] and not is_module(f"{module}.{name}"):
            assert isinstance(getattr(loaded, name), int)


@pytest.mark.parametrize("module", sorted(ROBOT))
def test_every_allowed_name_of_the_box_exists_in_it(module: str) -> None:
    inside = import_module(f"reachy_agent_ros.toolsmith.inside.{module}")
    assert [name for name in MODULES[module] if not hasattr(inside, name)] == []


def test_what_the_box_declares_without_an_import_is_what_it_offers() -> None:
    assert frozenset(reachy_agent.__all__) == PREDECLARED
