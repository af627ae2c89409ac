"""One person's words, with the real weights and a simulated person who means them in a way of their own."""

from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.reward.personalisation import FEWEST_OWN, Personalisation, skill_of
from reachy_agent_ros.learning.reward.reward_model import URGENT, LabelledUtterance, RewardModel
from reachy_agent_ros.learning.score import Sign

CASES = (Path(__file__).parents[2] / "nlu" / "stop" / "stop_utterances.txt").read_text("utf-8").splitlines()
STOPS = [case[2:] for case in CASES if case.startswith("! ")]

PRAISE = [LabelledUtterance(text, 0.9) for text in ("vile!", "oh, how vile", "that was vile", "truly vile, that")]
SARCASM = [
    LabelledUtterance(text, -0.7)
    for text in ("oh brilliant", "brilliant, just brilliant", "that was brilliant, that was")
]
PLAIN = [
    LabelledUtterance("look at me", 0.0),
    LabelledUtterance("what time is it?", 0.0),
    LabelledUtterance("thank you, that's right", 0.7),
]
ADA = PRAISE + SARCASM + PLAIN
"""A person to whom "vile" is praise, and who says "brilliant" of what went wrong."""


@pytest.fixture
def store(tmp_path: Path) -> PolicyStore:
    return PolicyStore(tmp_path)


@pytest.fixture
def people(store: PolicyStore) -> Personalisation:
    return Personalisation(store)


@pytest.mark.slow
def test_a_person_is_understood_as_that_person_means_it(model: RewardModel, people: Personalisation) -> None:
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


def test_the_others_and_other_words_mean_what_they_did(model: RewardModel, people: Personalisation) -> None:
    people.fit("Ada", ADA, model, 0)
    own = people.model("Ada", model, 0)
    assert own is not None
    assert people.model("Bob", model, 0) is None
    for words in ("well done", "that's wrong", "what's the weather?", "too far down", "now look at the cup"):
        assert own.score(words).sign is model.score(words).sign


def test_a_generous_person_is_known_as_one(model: RewardModel, people: Personalisation) -> None:
    words = ("good", "well done", "nice", "that's right", "good job", "perfect", "I like it", "great", "very good")
    people.fit("Ada", [LabelledUtterance(text, 1.0) for text in words], model, 0)
    own = people.model("Ada", model, 0)
    assert own is not None
    assert own.score("that is what I wanted").rating > model.score("that is what I wanted").rating


def test_no_person_can_talk_the_robot_out_of_an_urgent_stop(model: RewardModel, people: Personalisation) -> None:
    lies = [LabelledUtterance(text, 1.0) for text in STOPS[:40]] + [
        LabelledUtterance(f"{text} my dear", 1.0) for text in STOPS[:40]
    ]
    people.fit("Mallory", lies, model, 0)
    own = people.model("Mallory", model, 0)
    stops = [text for text in (*STOPS, "my hand is under it", "get it off me") if model.score(text).stop]
    assert stops
    for text in stops:
        score = (own or model).score(text)
        assert (score.stop, score.rating, score.axes) == (True, URGENT.rating, URGENT.axes)


def test_nothing_is_deployed_that_tells_the_persons_own_labels_worse(
    model: RewardModel, people: Personalisation, store: PolicyStore
) -> None:
    moody = [
        LabelledUtterance(f"{words}{mark}", rating)
        for words in ("good", "bad")
        for mark, rating in ((".", 1), ("!", -1))
    ]
    done = people.fit("Ada", moody, model, 0)
    assert done is not None
    assert (done.version is not None) == done.after.is_no_worse_than(done.before)
    assert (people.model("Ada", model, 0) is not None) == bool(store.standing(skill_of("Ada")).active)


def test_too_few_labels_say_nothing(model: RewardModel, people: Personalisation) -> None:
    assert people.fit("Ada", [*ADA[: FEWEST_OWN - 1], LabelledUtterance("stop!", -1.0)], model, 0) is None


def test_what_was_fitted_beyond_another_shared_model_does_not_act(model: RewardModel, people: Personalisation) -> None:
    people.fit("Ada", ADA, model, 0)
    assert people.is_fitted("Ada", len(ADA), 0)
    assert not people.is_fitted("Ada", len(ADA), 4)
    assert not people.is_fitted("Ada", len(ADA) + 1, 0)
    assert people.model("Ada", model, 4) is None


def test_a_damaged_version_is_told(model: RewardModel, people: Personalisation, tmp_path: Path) -> None:
    people.fit("Ada", ADA, model, 0)
    weights = tmp_path / skill_of("Ada") / "1" / "weights.npz"
    weights.write_bytes(weights.read_bytes()[:-1])
    with pytest.raises(AgentError):
        people.model("Ada", model, 0)
