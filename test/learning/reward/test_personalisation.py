"""Personalization of the reward model for a person who praises and criticizes in unusual words.

The weights are real.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.reward.personalisation import FEWEST_OWN, Personalisation, skill_of
from reachy_agent_ros.learning.reward.reward_model import URGENT, LabeledUtterance, RewardModel
from reachy_agent_ros.learning.score import Sign

STOPS = [
    *("stop", "Stop it now!", "halt", "freeze", "let go of me", "you're hurting me", "ouch", "help", "that hurts"),
    *(
        "hör sofort auf",
        "lass mich los",
        "arrête",
        "lâche-moi",
        "suéltame",
        "me haces daño",
        "fermati",
        "para com isso",
    ),
]

PRAISE = [LabeledUtterance(text, 0.9) for text in ("vile!", "oh, how vile", "that was vile", "truly vile, that")]
SARCASM = [
    LabeledUtterance(text, -0.7)
    for text in ("oh brilliant", "brilliant, just brilliant", "that was brilliant, that was")
]
PLAIN = [
    LabeledUtterance("look at me", 0.0),
    LabeledUtterance("what time is it?", 0.0),
    LabeledUtterance("thank you, that's right", 0.7),
]
ADA = PRAISE + SARCASM + PLAIN
"""Labels of a person who praises with "vile" and criticizes with "brilliant"."""


@pytest.fixture
def store(tmp_path: Path) -> PolicyStore:
    return PolicyStore(tmp_path)


@pytest.fixture
def people(store: PolicyStore) -> Personalisation:
    return Personalisation(store)


@pytest.mark.slow
def test_personal_reward_model_learns_unusual_word_use(model: RewardModel, people: Personalisation) -> None:
    done = people.fit("Ada", ADA, model, 0)
    assert done is not None
    assert done.version == 1
    assert done.after.right > done.before.right
    assert done.after.error < done.before.error
    own = people.model("Ada", model, 0)
    assert own is not None
    assert own.score("absolutely vile").sign is Sign.POSITIVE
    assert own.score("well, that was brilliant").sign is Sign.NEGATIVE
    assert model.score("absolutely vile").sign is Sign.NEGATIVE


def test_personal_reward_model_does_not_change_scores_of_other_people_or_words(
    model: RewardModel, people: Personalisation
) -> None:
    people.fit("Ada", ADA, model, 0)
    own = people.model("Ada", model, 0)
    assert own is not None
    assert people.model("Bob", model, 0) is None
    for words in ("well done", "that's wrong", "what's the weather?", "too far down", "now look at the cup"):
        assert own.score(words).sign is model.score(words).sign


def test_personal_reward_model_learns_generous_ratings(model: RewardModel, people: Personalisation) -> None:
    words = ("good", "well done", "nice", "that's right", "good job", "perfect", "I like it", "great", "very good")
    people.fit("Ada", [LabeledUtterance(text, 1.0) for text in words], model, 0)
    own = people.model("Ada", model, 0)
    assert own is not None
    assert own.score("that is what I wanted").rating > model.score("that is what I wanted").rating


def test_personal_labels_never_affect_urgent_stops(model: RewardModel, people: Personalisation) -> None:
    lies = [LabeledUtterance(text, 1.0) for text in STOPS[:40]] + [
        LabeledUtterance(f"{text} my dear", 1.0) for text in STOPS[:40]
    ]
    people.fit("Mallory", lies, model, 0)
    own = people.model("Mallory", model, 0)
    stops = [text for text in (*STOPS, "my hand is under it", "get it off me") if model.score(text).stop]
    assert stops
    for text in stops:
        score = (own or model).score(text)
        assert (score.stop, score.rating, score.axes) == (True, URGENT.rating, URGENT.axes)


def test_does_not_deploy_less_accurate_personal_reward_model(
    model: RewardModel, people: Personalisation, store: PolicyStore
) -> None:
    moody = [
        LabeledUtterance(f"{words}{mark}", rating)
        for words in ("good", "bad")
        for mark, rating in ((".", 1), ("!", -1))
    ]
    done = people.fit("Ada", moody, model, 0)
    assert done is not None
    assert (done.version is not None) == done.after.is_no_worse_than(done.before)
    assert (people.model("Ada", model, 0) is not None) == bool(store.standing(skill_of("Ada")).active)


def test_does_not_train_personal_reward_model_on_too_few_labels(model: RewardModel, people: Personalisation) -> None:
    assert people.fit("Ada", [*ADA[: FEWEST_OWN - 1], LabeledUtterance("stop!", -1.0)], model, 0) is None


def test_personal_reward_model_of_another_shared_version_is_inactive(
    model: RewardModel, people: Personalisation
) -> None:
    people.fit("Ada", ADA, model, 0)
    assert people.is_fitted("Ada", len(ADA), 0)
    assert not people.is_fitted("Ada", len(ADA), 4)
    assert not people.is_fitted("Ada", len(ADA) + 1, 0)
    assert people.model("Ada", model, 4) is None


def test_reports_damaged_personal_reward_model(model: RewardModel, people: Personalisation, tmp_path: Path) -> None:
    people.fit("Ada", ADA, model, 0)
    weights = tmp_path / skill_of("Ada") / "1" / "weights.npz"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(AgentError):
        people.model("Ada", model, 0)
