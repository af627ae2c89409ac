from pathlib import Path

from reachy_agent_ros.learning.score import Axis

GUIDE = Path(__file__).parents[2] / "docs" / "guides" / "feedback.md"


def test_feedback_guide_lists_name_of_every_correction() -> None:
    guide = GUIDE.read_text()
    assert [axis for axis in Axis if f"`{axis}`" not in guide] == []
