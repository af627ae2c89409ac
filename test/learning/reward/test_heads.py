from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.reward import reward_model
from reachy_agent_ros.learning.reward.cues import axes_of
from reachy_agent_ros.learning.reward.heads import AxisHead, features_of, named_in
from reachy_agent_ros.learning.reward.reward_model import DIRECTIONS_FILE, RewardModel
from reachy_agent_ros.learning.score import Axis


@pytest.mark.parametrize(
    ("words", "axis"),
    [
        ("You sank below it.", Axis.PITCH_UP),
        ("You rose above it.", Axis.PITCH_DOWN),
        ("You drifted off, you ended up right of it.", Axis.YAW_LEFT),
        ("nudge it left", Axis.YAW_LEFT),
        ("nudge it right", Axis.YAW_RIGHT),
        ("You galloped through it.", Axis.SLOWER),
    ],
)
def test_axis_head_recognizes_correction_without_matching_pattern(model: RewardModel, words: str, axis: Axis) -> None:
    assert axis in model.score(words).axes


@pytest.mark.parametrize("words", ["Perfect!", "Well done.", "The cup is on the left.", "what time is it?"])
def test_utterance_without_correction_has_no_axes(model: RewardModel, words: str) -> None:
    assert model.score(words).axes == ()


def test_opposite_axes_in_one_utterance_cancel_out() -> None:
    assert list(named_in("left or right , and up")) == [Axis.PITCH_UP]


def test_left_and_right_corrections_have_mirrored_features() -> None:
    row = np.zeros(300, np.float32)
    left, right = (features_of(row, f"bring it {side}") for side in ("left", "right"))
    assert np.array_equal(left[Axis.YAW_LEFT], right[Axis.YAW_RIGHT])


def test_uncertain_output_of_axis_head_yields_no_axes() -> None:
    words = "bring it left"
    head = AxisHead.load(DIRECTIONS_FILE)
    features = features_of(np.zeros(300, np.float32), words)
    unsure = AxisHead(head.examples, head.weight, head.bias, head.gamma, np.asarray(10.0, np.float32))
    assert not axes_of(words)
    assert unsure.axes(features) == []


def test_axis_head_is_unchanged_after_saving_and_loading(tmp_path: Path) -> None:
    head = AxisHead.load(DIRECTIONS_FILE)
    head.save(tmp_path / "head.npz")
    again = AxisHead.load(tmp_path / "head.npz")
    assert np.array_equal(again.examples, head.examples)


def test_rejects_axis_head_with_wrong_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reward_model, "DIRECTIONS_SHA256", "0" * 64)
    with pytest.raises(AgentError) as refused:
        RewardModel(SentenceEmbedder())
    assert refused.value.code is ErrorCode.MODEL_UNAVAILABLE
