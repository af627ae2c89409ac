import pytest

from reachy_agent_ros.learning.reward.cues import axes_of
from reachy_agent_ros.learning.score import Axis


@pytest.mark.parametrize(
    ("words", "axes"),
    [
        ("too far down", {Axis.PITCH_UP}),
        ("a bit higher", {Axis.PITCH_UP}),
        ("not high enough", {Axis.PITCH_UP}),
        ("look up a bit", {Axis.PITCH_UP}),
        ("you overshot to the right side", {Axis.YAW_LEFT}),
        ("more to the left", {Axis.YAW_LEFT}),
        ("no , to the left", {Axis.YAW_LEFT}),
        ("no , right", {Axis.YAW_RIGHT}),
        ("too fast", {Axis.SLOWER}),
        ("not so loud", {Axis.QUIETER}),
        ("turn it down a bit", {Axis.QUIETER}),
        ("come closer , and slower", {Axis.CLOSER, Axis.SLOWER}),
        ("tilt more to the left", {Axis.ROLL_LEFT}),
        ("less tilt to the left", {Axis.ROLL_RIGHT}),
        ("undo that", {Axis.UNDO}),
        ("too slow and too much", {Axis.FASTER, Axis.SMALLER}),
        ("too much and too loud", {Axis.SMALLER, Axis.QUIETER}),
        ("too slow and too much noise", {Axis.FASTER}),
    ],
)
def test_finds_direction_of_correction_in_text(words: str, axes: set[Axis]) -> None:
    assert set(axes_of(words)) == axes


@pytest.mark.parametrize(
    "words", ["look up", "turn left", "that was the right answer", "perfect", "you weren't too loud"]
)
def test_command_or_opinion_has_no_correction_direction(words: str) -> None:
    assert axes_of(words) == ()


def test_lower_means_quieter_after_volume_change() -> None:
    assert axes_of("lower", "move_head") == (Axis.PITCH_DOWN,)
    assert axes_of("lower", "set_volume") == (Axis.QUIETER,)
    assert axes_of("a bit too far down", "talk") == (Axis.PITCH_UP,)


def test_opposite_correction_directions_cancel_out() -> None:
    assert axes_of("higher no lower") == ()


def test_two_words_for_same_correction_of_voice_give_one_direction() -> None:
    assert axes_of("louder and higher please", "talk") == (Axis.LOUDER,)
