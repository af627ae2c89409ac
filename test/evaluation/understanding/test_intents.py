"""Tests of comparing recognized commands with expected commands."""

from pathlib import Path
from typing import Any

import pytest

from evaluation.understanding import intents
from evaluation.understanding.written_calls import matches, performed
from reachy_agent_ros.nlu.decision import Action, Decision, DecisionKind


def act(*actions: Action) -> Decision:
    return Decision(DecisionKind.ACT, actions)


@pytest.mark.parametrize(
    ("wanted", "action", "right"),
    [
        ({"yaw_deg": "+"}, Action("move_head", {"yaw_deg": 30.0}), True),
        ({"yaw_deg": "+"}, Action("move_head", {"yaw_deg": -30.0}), False),
        ({"yaw_deg": "+"}, Action("move_head", {"yaw_deg": 30.0, "pitch_deg": 20.0}), False),
        ({"yaw_deg": 25}, Action("move_head", {"yaw_deg": 30.0}), False),
        ({"yaw_deg": 0, "pitch_deg": 0, "roll_deg": 0}, Action("move_head", {"yaw_deg": 0.0}), True),
    ],
)
def test_recognized_angle_must_have_expected_direction_and_amount(
    wanted: dict[str, Any], action: Action, right: bool
) -> None:
    assert matches([{"name": "move_head", "arguments": wanted}], performed(act(action))) is right


def test_consecutive_antenna_motions_count_as_one_pose() -> None:
    wiggle = [Action("set_antennas", {"right_deg": angle, "left_deg": angle}) for angle in (30.0, -30.0, 0.0)]
    assert [call[1]["pose"] for call in performed(act(*wiggle))] == ["wiggle"]
    assert performed(act(Action("set_antennas", {"left_deg": 120.0})))[0][1]["side"] == "left"


def test_spoken_text_must_match_but_remembered_text_need_not() -> None:
    spoken = [{"name": "speak", "arguments": {"text": "Good night!"}}]
    assert matches(spoken, [("speak", {"text": "good night"})])
    assert not matches(spoken, [("speak", {"text": "good day"})])
    assert matches([{"name": "remember", "arguments": {"text": "x"}}], [("remember", {"text": "y"})])


def test_error_names_missing_column(tmp_path: Path) -> None:
    file = tmp_path / "some.tsv"
    file.write_text("language\tsentence\nen\tlook left\n", encoding="utf-8")
    with pytest.raises(ValueError, match="missing columns expected"):
        list(intents.load(file))


def test_held_out_files_contain_sentences_with_and_without_command() -> None:
    for path in intents.SENTENCES:
        sentences = list(intents.load(path))
        assert {bool(sentence.expected) for sentence in sentences} == {True, False}
