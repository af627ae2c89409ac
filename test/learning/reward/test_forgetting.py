from pathlib import Path

import numpy as np

from reachy_agent_ros.learning.correction.policy_record import PolicyRecord
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.judgement import Source
from reachy_agent_ros.learning.reward.forgetting import forget_person
from reachy_agent_ros.learning.reward.given_labels import given_labels, who_labelled
from reachy_agent_ros.learning.reward.personalisation import skill_of
from reachy_agent_ros.learning.reward.retraining import SKILL
from support.learning.feedback_cases import WordScorer, act, said


def test_of_who_is_forgotten_neither_words_nor_models_stay(tmp_path: Path) -> None:
    store, policies = FeedbackStore(tmp_path / "feedback.db"), PolicyStore(tmp_path / "policies")
    recorder = FeedbackRecorder(store, WordScorer())
    recorder.note_act(act())
    for person in ("Ada", "Bob", ""):
        recorder.give(said(f"wicked, says {person}", source=Source.RATING, rating=0.8, person=person))
    for skill in (SKILL, skill_of("Ada"), skill_of("Bob"), "look_at_object"):
        policies.save(PolicyRecord(skill, 0, "test", 0.0), {"weight": np.ones(3)})
    assert who_labelled(store) == {"Ada": 1, "Bob": 1}
    assert forget_person(store, policies, "Ada") == 1
    assert who_labelled(store) == {"Bob": 1}
    assert [label.text for label in given_labels(store)] == ["wicked, says Bob", "wicked, says"]
    assert sorted(policies.skills()) == ["look_at_object", skill_of("Bob")]
    assert not (tmp_path / "policies" / skill_of("Ada")).exists()
    assert forget_person(store, policies, "Ada") == 0
    assert SKILL not in policies.skills()
    store.close()
