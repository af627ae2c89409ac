"""What the tests of boxes share, whose worker runs any source unseen."""

from collections.abc import Callable

from reachy_agent_ros.tool_generation.job import RunEnd

OVERHEAD = 64 << 20
"""bytes that such a worker takes by itself, and some more."""

Run = Callable[..., RunEnd]
"""Runs the body of a function in a box."""
