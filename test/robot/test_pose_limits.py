import math
from pathlib import Path

import pytest

from reachy_agent_ros.robot.pose_limits import ENVELOPE, Limit

SAFETY_PAGE = Path(__file__).resolve().parents[2] / "docs" / "concepts" / "safety.md"


def row(name: str, limit: Limit) -> str:
    if name in ("head.x", "head.y", "head.z"):
        low, high, speed, acceleration = (
            round(1000 * value) for value in (limit.low, limit.high, limit.speed, limit.acceleration)
        )
        return f"| `{name}` | {low} mm | {high} mm | refused beyond | {speed} mm/s | {acceleration} mm/s² |"
    low, high, margin, speed, acceleration = (
        round(math.degrees(value)) for value in (limit.low, limit.high, limit.margin, limit.speed, limit.acceleration)
    )
    return f"| `{name}` | {low}° | {high}° | {margin}° beyond | {speed}°/s | {acceleration}°/s² |"


@pytest.mark.parametrize("name", ENVELOPE)
def test_safety_documentation_states_actual_limits(name: str) -> None:
    assert row(name, ENVELOPE[name]) in SAFETY_PAGE.read_text().splitlines()
