import pytest

from reachy_agent_ros.learning.reward.instruction import is_instruction
from reachy_agent_ros.learning.reward.reward_model import development_labels


@pytest.mark.parametrize(
    "text",
    [
        "faster",
        "louder please",
        "Reachy, speak louder",
        "don't look left",
        "do not turn to the window",
        "blick nach rechts",
        "turn to the left",
        "look up",
    ],
)
def test_instruction_for_next_action(text: str) -> None:
    assert is_instruction(text)


@pytest.mark.parametrize(
    "text",
    [
        "too fast",
        "a bit faster",
        "that was too loud",
        "don't turn so fast",
        "no, further left",
        "you looked too far up",
        "zu schnell",
        "well done",
        "more to the left",
        "",
    ],
)
def test_feedback_on_last_action(text: str) -> None:
    assert not is_instruction(text)


def test_keeps_feedback_of_development_set() -> None:
    opinions = [label.text for label in development_labels() if label.rating]
    assert sum(map(is_instruction, opinions)) <= 0.02 * len(opinions)
