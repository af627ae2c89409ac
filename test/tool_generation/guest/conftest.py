from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.tool_generation.plain_worker import run_tool


@pytest.fixture
def run() -> Callable[..., dict[str, Any]]:
    """Function that runs a tool in a separate worker process and returns the last frame that the worker sends."""
    return run_tool
