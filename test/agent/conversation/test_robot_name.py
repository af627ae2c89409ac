from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.robot_name import RobotName

REACHY = RobotName(["Reachy"])


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Reachy, look left.", "Look left."),
        ("reachy look left", "Look left"),
        ("Hey Reachy, what is this?", "What is this?"),
        ("Oh, Reachy! Look there.", "Look there."),
        ("No, Reachy, look right.", "No, look right."),
        ("Hello, Reachy!", "Hello!"),
        ("Thank you, Reachy.", "Thank you."),
        ("Stop Reachy!", "Stop!"),
        ("Look left Reachy", "Look left"),
        ("What can you see on the table, Reachy?", "What can you see on the table?"),
        ("I have a question. Reachy, where is the cup?", "I have a question. Where is the cup?"),
        ("Reachy.", ""),
        ("Hey, Reachy!", ""),
    ],
)
def test_a_call_is_found_and_the_name_taken_away(said: str, asked: str) -> None:
    call = REACHY.find(said)
    assert call.named
    assert call.text == asked


@pytest.mark.parametrize(
    "said",
    [
        "Look left.",
        "Yesterday I have bought a new Reachy.",
        "I told you that Reachy is a robot.",
        "Reachyard is no name.",
        "",
        "...",
    ],
)
def test_where_it_is_not_called_nothing_is_changed(said: str) -> None:
    call = REACHY.find(said)
    assert not call.named
    assert call.text == said


def test_other_names_and_names_with_signs_can_be_set() -> None:
    robot = RobotName(["Mini", "R2.D2"])
    assert robot.find("R2.D2, come here").text == "R2.D2, come here"  # a full stop ends a sentence
    assert robot.find("Mini, come here").text == "Come here"
    assert not robot.find("Reachy, come here").named


@given(st.text(max_size=80))
def test_any_text_is_taken(text: str) -> None:
    call = REACHY.find(text)
    assert call.named or call.text == text


@given(st.lists(st.sampled_from(["look", "left", "cup", "the", "now"]), min_size=1, max_size=8))
def test_a_name_before_or_after_a_comma_gives_the_same_question(words: list[str]) -> None:
    sentence = " ".join(words).capitalize()
    assert REACHY.find(f"Reachy, {sentence}.") == REACHY.find(f"{sentence}, Reachy.")
    assert REACHY.find(f"Reachy, {sentence}.").text == f"{sentence}."
