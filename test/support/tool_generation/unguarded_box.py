"""Sandbox for tests, whose worker runs any source without validation."""

from collections.abc import Callable

from reachy_agent_ros.tool_generation.job import RunEnd

OVERHEAD = 64 << 20
"""bytes that such a worker needs, and a margin."""

Run = Callable[..., RunEnd]
"""Runs the body of a function in a sandbox."""
