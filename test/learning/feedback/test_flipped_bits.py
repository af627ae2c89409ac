"""Bit flips in the feedback database: damaged rows are skipped and reported."""

import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reachy_agent_ros.learning.feedback.history import past_judgments
from reachy_agent_ros.learning.feedback.rows import row_of_judgment, rows_of_act
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from support.flipped_bits import flip
from support.learning.feedback_cases import act, said

WORDS = "that was too far to the left"


@pytest.fixture
def stored(path: Path) -> Path:
    store = FeedbackStore(path)
    store.add([row_of_judgment(said(WORDS)), row_of_judgment(said("well done"))])
    store.add([*rows_of_act(act(skill="look_at_object")), *rows_of_act(act(skill="play_the_fool"))])
    store.close()
    return path


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 8 * len(WORDS) - 1))
def test_skips_and_reports_damaged_feedback(stored: Path, bit: int) -> None:
    damaged = stored.with_name("damaged.db")
    shutil.copy(stored, damaged)
    flip(damaged, WORDS, bit)
    store = FeedbackStore(damaged)
    assert [one.text for one in past_judgments(store, 0.0, 10)] == ["well done"]
    assert "judgements" in store.damage
    assert store.problem == ""
    store.close()


def test_skips_and_reports_damaged_action(stored: Path) -> None:
    flip(stored, "play_the_fool")
    store = FeedbackStore(stored)
    assert [one.skill for one in store.acts()] == ["look_at_object"]
    assert "Left out: acts " in store.damage
    store.close()


def test_reports_no_damage_in_intact_feedback_database(stored: Path) -> None:
    store = FeedbackStore(stored)
    assert len(list(store.rows())) == 8
    assert store.damage == ""
    store.close()
