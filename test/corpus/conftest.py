"""Fixture that provides the names of the tools that the selected tests of a module need."""

from collections.abc import Sequence
from typing import Any

import pytest


@pytest.fixture(scope="module")
def selected_tools(request: pytest.FixtureRequest) -> Sequence[Any]:
    """Returns the value of the parameter `tool` for each selected test of a module, in the order of the tests."""
    calls = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    return [call.params["tool"] for call in calls if call is not None and "tool" in call.params]
