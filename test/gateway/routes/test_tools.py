from __future__ import annotations

import subprocess
import sys

import pytest

SELDOM = ("mcp", "sqlalchemy", "openai", "torch")
"""Libraries that few requests need, or none."""


@pytest.mark.slow
def test_a_gateway_that_starts_loads_no_library_that_few_requests_need() -> None:
    program = (
        f"import reachy_agent_ros.ros.gateway.gateway, sys; print([one for one in {SELDOM} if one in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "[]\n"
