"""Active version of the reward model, tested with the real weights."""

from __future__ import annotations

import dataclasses
import uuid
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.reward.current_model import CurrentModel, forget_person, given_labels, who_labeled
from reachy_agent_ros.learning.reward.personalisation import skill_of
from reachy_agent_ros.learning.reward.retraining import FEWEST, SKILL
from reachy_agent_ros.learning.score import Sign
from support.learning.feedback_cases import WordScorer, act, said
from support.waiting import wait_until


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FeedbackStore]:
    store = FeedbackStore(tmp_path / "feedback.db")
    yield store
    store.close()


@pytest.mark.nightly
def test_new_labels_deploy_new_reward_model_at_run_time(store: FeedbackStore, tmp_path: Path) -> None:
    policies = PolicyStore(tmp_path / "policies")
    model = CurrentModel(store, policies)
    before = model.score("zazzy")
    recorder = FeedbackRecorder(store, model)
    recorder.note_act(act())
    for _ in range(FEWEST):
        given = said("zazzy", source=FeedbackSource.RATING, rating=0.8)
        recorder.give(dataclasses.replace(given, feedback_id=uuid.uuid4()))
        model.note_label()

    def fitted() -> bool:
        model.keep_up()
        return policies.standing(SKILL).active > 0

    wait_until(fitted, "a version", timeout=120.0)
    assert model.score("zazzy") != before
    assert model.version == 1
    assert model.problem == ""
    model.close()


@pytest.mark.slow
def test_personal_reward_model_is_used_for_its_person_until_deletion(store: FeedbackStore, tmp_path: Path) -> None:
    policies = PolicyStore(tmp_path / "policies")
    model = CurrentModel(store, policies)
    recorder = FeedbackRecorder(store, model)
    recorder.note_act(act())
    for words in ("vile!", "how vile", "that was vile"):
        recorder.give(said(words, source=FeedbackSource.RATING, rating=0.9, person="Ada"))
        model.note_label("Ada")

    def fitted() -> bool:
        model.keep_up()
        return policies.standing(skill_of("Ada")).active > 0

    wait_until(fitted, "a version for Ada", timeout=120.0)
    assert recorder.give(said("truly vile", person="Ada")).score.sign is Sign.POSITIVE
    assert recorder.give(said("truly vile", person="Bob")).score.sign is Sign.NEGATIVE
    assert recorder.give(said("stop! vile!", person="Ada")).score.stop
    forget_person(store, policies, "Ada")
    assert recorder.give(said("truly vile", person="Ada")).score.sign is Sign.NEGATIVE
    model.close()


def test_only_text_rated_by_its_speaker_becomes_training_label(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer())
    recorder.note_act(act())
    recorder.give(said("good"))
    recorder.give(said("", source=FeedbackSource.BUTTON, rating=1.0))
    recorder.give(said("interruption", source=FeedbackSource.IMPLICIT))
    recorder.give(said("sick", source=FeedbackSource.RATING, rating=0.6))
    assert [(label.text, label.rating) for label in given_labels(store)] == [("sick", 0.6)]


def test_deleting_data_of_person_deletes_labels_and_personal_model(tmp_path: Path) -> None:
    store, policies = FeedbackStore(tmp_path / "feedback.db"), PolicyStore(tmp_path / "policies")
    recorder = FeedbackRecorder(store, WordScorer())
    recorder.note_act(act())
    for person in ("Ada", "Bob", ""):
        recorder.give(said(f"wicked, says {person}", source=FeedbackSource.RATING, rating=0.8, person=person))
    for skill in (SKILL, skill_of("Ada"), skill_of("Bob"), "look_at_object"):
        policies.save(PolicyRecord(skill, 0, "test", 0.0), {"weight": np.ones(3)})
    assert who_labeled(store) == {"Ada": 1, "Bob": 1}
    assert forget_person(store, policies, "Ada") == 1
    assert who_labeled(store) == {"Bob": 1}
    assert [label.text for label in given_labels(store)] == ["wicked, says Bob", "wicked, says"]
    assert sorted(policies.skills()) == ["look_at_object", skill_of("Bob")]
    assert not (tmp_path / "policies" / skill_of("Ada")).exists()
    assert forget_person(store, policies, "Ada") == 0
    assert SKILL not in policies.skills()
    store.close()
