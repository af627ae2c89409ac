import pytest

from reachy_agent_ros.stt.aliases import only_calls, with_robot_name


@pytest.mark.parametrize(
    ("heard", "meant"),
    [
        ("Ricky, look left.", "Reachy, look left."),
        ("Riki, look left.", "Reachy, look left."),
        ("Richie look left", "Reachy look left"),
        ("Hey Reiki, what do you see?", "Hey Reachy, what do you see?"),
        ("Okay, Ritchie. Stop.", "Okay, Reachy. Stop."),
        ("Move your head down a bit, re-key.", "Move your head down a bit, Reachy."),
        ("Good morning, reke.", "Good morning, Reachy."),
        ("Breaky, look left.", "Reachy, look left."),
        ("Freaky, look left.", "Reachy, look left."),
        ("Rakey, look up.", "Reachy, look up."),
        ("A Reedy, what do you see?", "A Reachy, what do you see?"),
        ("Thank you, Greeky.", "Thank you, Reachy."),
        ("Hey, Rethy, what do you see?", "Hey, Reachy, what do you see?"),
        ("Reachy, stop.", "Reachy, stop."),
    ],
)
def test_the_robot_is_called_by_its_name(heard: str, meant: str) -> None:
    assert with_robot_name(heard) == meant


@pytest.mark.parametrize(
    "text",
    [
        "Tell Ricky that I am here.",
        "Reach for the cup.",
        "The rich eat well.",
        "Richest, look left.",
        "Break a leg.",
        "Ready, steady, go.",
        "Greek food is good.",
        "",
    ],
)
def test_other_names_and_words_stay(text: str) -> None:
    assert with_robot_name(text) == text


@pytest.mark.parametrize("text", ["Reachy.", "Reachy,", "Hey Reachy!", "Okay, Reachy.", "Stop! Reachy.", "reachy"])
def test_the_name_alone_is_a_call(text: str) -> None:
    assert only_calls(text)


@pytest.mark.parametrize(
    "text", ["Look left, Reachy.", "Thank you, Reachy.", "Reachy, look left.", "Preachy.", "", "Hey."]
)
def test_a_sentence_with_the_name_is_not_only_a_call(text: str) -> None:
    assert not only_calls(text)
