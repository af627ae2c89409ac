"""Fixture that provides the tools required by the selected tests of a module."""

from collections.abc import Sequence
from typing import Any

import pytest


@pytest.fixture(scope="module")
def selected_tools(request: pytest.FixtureRequest) -> Sequence[Any]:
    """Returns the parameter `tool` of each selected test of the module, in the order of the tests."""
    calls = [getattr(item, "callspec", None) for item in request.session.items if item.path == request.path]
    return [call.params["tool"] for call in calls if call is not None and "tool" in call.params]
