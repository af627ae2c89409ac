from __future__ import annotations

import subprocess
import sys

import pytest

SELDOM = ("mcp", "sqlalchemy", "openai", "torch")
"""Libraries that few or no requests need."""


@pytest.mark.slow
def test_gateway_start_does_not_import_rarely_used_libraries() -> None:
    program = (
        f"import reachy_agent_ros.ros.gateway.gateway, sys; print([one for one in {SELDOM} if one in sys.modules])"
    )
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout == "[]\n"
