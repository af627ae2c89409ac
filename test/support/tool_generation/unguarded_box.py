"""Types and limits for a test sandbox whose worker runs sources without validation."""

from collections.abc import Callable

from reachy_agent_ros.tool_generation.job import RunEnd

OVERHEAD = 64 << 20
"""Memory that such a worker requires, with a margin, bytes."""

Run = Callable[..., RunEnd]
"""Type of a function that runs a function body in a sandbox."""
