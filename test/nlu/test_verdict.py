import pytest

from reachy_agent_ros.nlu.verdict import Verdict, verdict


@pytest.mark.parametrize(
    "text",
    [
        "Well done!",
        "Perfect.",
        "good job",
        "Great!",
        "That was perfect",
        "that's right",
        "Reachy, well done",
        "I love it",
    ],
)
def test_praise_is_known(text: str) -> None:
    assert verdict(text) is Verdict.PRAISE


@pytest.mark.parametrize(
    "text",
    [
        "too far down",
        "That was too fast.",
        "a bit too loud",
        "not quite",
        "That's wrong",
        "too far to the left",
        "not high enough",
    ],
)
def test_criticism_is_known(text: str) -> None:
    assert verdict(text) is Verdict.CRITICISM


@pytest.mark.parametrize(
    "text",
    [
        "",
        "what time is it",
        "great, now look left",
        "is that right?",
        "tell me a good story",
        "look at the perfect apple",
    ],
)
def test_what_asks_for_more_is_neither(text: str) -> None:
    assert verdict(text) is None
