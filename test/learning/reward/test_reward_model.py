import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.reward import reward_model
from reachy_agent_ros.learning.reward.reward_model import RewardModel, development_labels
from reachy_agent_ros.learning.score import Axis, Score, Sign
from reachy_agent_ros.nlu.stop_rule import is_urgent_stop


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("That was perfect!", Sign.POSITIVE),
        ("not bad", Sign.POSITIVE),
        ("Good, but a bit slow", Sign.POSITIVE),
        ("That's wrong.", Sign.NEGATIVE),
        ("not good", Sign.NEGATIVE),
        ("too far down", Sign.NEGATIVE),
        ("what time is it?", Sign.NEUTRAL),
        ("now look at the cup", Sign.NEUTRAL),
        ("my boss is awful", Sign.NEUTRAL),
    ],
)
def test_reward_model_predicts_signs_of_labeling_guide_examples(model: RewardModel, text: str, sign: Sign) -> None:
    assert model.score(text).sign is sign


def test_urgent_stop_has_confidence_of_one(model: RewardModel) -> None:
    assert model.score("No! Stop!") == Score(Sign.NEGATIVE, -1.0, 1.0, (Axis.STOP,), stop=True)


def test_reward_model_detects_stop_without_stop_keyword(model: RewardModel) -> None:
    text = "take it away from here take it away"
    assert not is_urgent_stop(text)
    assert model.score(text).stop


@pytest.mark.parametrize("text", ["", " \n", "...", "?!"])
def test_text_without_words_has_neutral_score(model: RewardModel, text: str) -> None:
    assert model.score(text) == Score(Sign.NEUTRAL, 0.0, 1.0)


def test_neutral_score_has_no_correction_axes(model: RewardModel) -> None:
    score = model.score("My neighbors are too loud.")
    assert (score.sign, score.rating, score.axes) == (Sign.NEUTRAL, 0.0, ())


@settings(max_examples=30, deadline=None)
@given(text=st.text(max_size=300))
def test_sign_rating_and_axes_of_score_are_consistent_for_any_text(model: RewardModel, text: str) -> None:
    score = model.score(text)
    assert -1.0 <= score.rating <= 1.0
    assert np.sign(score.rating) == score.sign
    assert 1 / 3 <= score.confidence <= 1.0


@pytest.mark.slow
def test_reward_model_scores_one_megabyte_of_text(model: RewardModel) -> None:
    assert model.score("word " * 200_000 + "but that was perfect, well done").sign is Sign.POSITIVE


@pytest.mark.nightly
def test_reward_model_scores_most_utterances_of_unseen_styles_correctly(model: RewardModel) -> None:
    labels = development_labels()
    right = [model.score(label.text).sign is label.sign for label in labels]
    assert sum(right) / len(right) >= 0.88


def test_rejects_reward_model_heads_with_wrong_checksum(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reward_model, "SHA256", "0" * 64)
    with pytest.raises(AgentError) as refusal:
        RewardModel(SentenceEmbedder())
    assert refusal.value.code is ErrorCode.MODEL_UNAVAILABLE


@pytest.mark.slow
def test_reward_model_imports_no_training_framework_for_scoring() -> None:
    code = (
        "import sys; from reachy_agent_ros.learning.reward import reward_model;"
        "sys.exit(bool({'torch', 'gymnasium', 'stable_baselines3', 'rclpy'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
