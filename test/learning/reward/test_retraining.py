from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.reward.retraining import SKILL, Retraining
from reachy_agent_ros.learning.reward.reward_model import LabeledUtterance, RewardModel
from reachy_agent_ros.learning.score import Sign

OWN_WORDS = [
    LabeledUtterance(text, 0.8) for text in ("flurb", "flurb flurb", "oh flurb", "what a flurb", "total flurb")
]
OWN_BLAME = [
    LabeledUtterance(text, -0.7) for text in ("zorgle", "you zorgle", "big zorgle", "what a zorgle", "zorgle zorgle")
]
FIXED_TEST = [
    LabeledUtterance("perfect", 1.0),
    LabeledUtterance("that's wrong", -0.5),
    LabeledUtterance("what time is it?", 0.0),
]


@pytest.fixture
def store(tmp_path: Path) -> PolicyStore:
    return PolicyStore(tmp_path)


@pytest.mark.slow
def test_retrained_reward_model_survives_restart(model: RewardModel, store: PolicyStore) -> None:
    retrained = Retraining(store, model, FIXED_TEST).fit(OWN_WORDS + OWN_BLAME)
    assert retrained.version == 1
    assert retrained.after >= retrained.before
    active = Retraining(store, model, FIXED_TEST).active()
    assert active.score("such a flurb").sign is Sign.POSITIVE
    assert active.score("such a zorgle").sign is Sign.NEGATIVE
    assert active.score("perfect").sign is Sign.POSITIVE


@pytest.mark.slow
def test_does_not_deploy_reward_model_that_is_worse_on_fixed_test_set(model: RewardModel, store: PolicyStore) -> None:
    lies = [
        LabeledUtterance("perfect", -1.0),
        LabeledUtterance("that's wrong", 1.0),
        LabeledUtterance("what time is it?", 1.0),
    ] * 20
    retraining = Retraining(store, model, FIXED_TEST)
    retrained = retraining.fit(lies)
    assert retrained.version is None or retrained.after >= retrained.before
    assert [retraining.active().score(label.text).sign for label in FIXED_TEST] == [one.sign for one in FIXED_TEST]


@pytest.mark.slow
def test_active_reward_model_is_kept_if_no_step_size_improves_it(model: RewardModel, store: PolicyStore) -> None:
    agreed = [
        LabeledUtterance(text, 0.8 * model.score(text).sign)
        for text in ("flurb", "zorgle", "frobnicate the wug", "blick")
    ]
    lies = [LabeledUtterance(label.text, 0.8 if label.sign is not Sign.POSITIVE else -0.8) for label in agreed] * 20
    retraining = Retraining(store, model, [*agreed, *FIXED_TEST])
    retrained = retraining.fit(lies)
    assert (retrained.version is None) == (retrained.after < retrained.before)
    assert (retraining.active() is model) == (retrained.version is None)


@pytest.mark.slow
def test_rolls_back_to_older_reward_model(model: RewardModel, store: PolicyStore) -> None:
    retraining = Retraining(store, model, FIXED_TEST)
    retraining.fit(OWN_WORDS + OWN_WORDS)
    before = retraining.active().score("zorgle")
    retraining.fit(OWN_WORDS + OWN_BLAME)
    assert store.roll_back(SKILL) == 1
    assert retraining.active().score("zorgle") == before


def test_retraining_rejects_too_few_labels(model: RewardModel, store: PolicyStore) -> None:
    with pytest.raises(AgentError) as refusal:
        Retraining(store, model, FIXED_TEST).fit(OWN_WORDS)
    assert refusal.value.code is ErrorCode.NO_DATA
