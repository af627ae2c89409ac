"""How far the person is, on which it depends how big, how loud and how near is right."""

from __future__ import annotations

from reachy_agent_ros.learning.correction.skill import Values

DISTANCE = "distance"
"""Name in a context, m."""

USUAL = 1.0
"""m; what to say where nobody measured it."""


def beyond_usual(context: Values) -> tuple[float, float]:
    """Features: 1, and how many m farther than usual."""
    return 1.0, context[DISTANCE] - USUAL
