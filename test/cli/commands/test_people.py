import argparse
import json
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.commands import people as command
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.reward.current_model import given_labels
from reachy_agent_ros.learning.reward.personalisation import Personalisation, skill_of
from reachy_agent_ros.learning.reward.reward_model import RewardModel
from support.learning.feedback_cases import WordScorer, act, said


@pytest.fixture(autouse=True)
def _ada(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Creates the profile of a user who says "vile" as praise."""
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    store = FeedbackStore()
    recorder = FeedbackRecorder(store, WordScorer())
    recorder.note_act(act())
    for words in ("vile!", "oh, how vile", "that was vile", "truly vile, that"):
        recorder.give(said(words, source=FeedbackSource.RATING, rating=0.9, person="Ada"))
    Personalisation(PolicyStore()).fit("Ada", given_labels(store, "Ada"), RewardModel(SentenceEmbedder()), 0)
    store.close()


def lines(capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    parser = argparse.ArgumentParser()
    command.add_arguments(parser)
    assert command.run(parser.parse_args([*words, "--json"])) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_lists_shows_and_deletes_profile_of_person(capsys: pytest.CaptureFixture[str]) -> None:
    (ada,) = lines(capsys, "list")
    assert (ada["person"], ada["labels"], ada["policy"], ada["version"]) == ("Ada", 4, skill_of("Ada"), 1)
    assert ada["figures"]["sign right after"] > ada["figures"]["sign right before"]
    shown = lines(capsys, "show", "Ada")
    assert [one["given"] for one in shown] == [0.9] * 4
    assert all(one["person"] > 0.0 > one["everybody"] for one in shown)
    assert lines(capsys, "forget", "Ada", "--yes") == [{"forgotten": 4}]
    assert lines(capsys, "list") == []
    assert PolicyStore().skills() == []


def test_forget_deletes_nothing_without_confirmation(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AgentError, match="add --yes") as refusal:
        lines(capsys, "forget", "Ada")
    assert refusal.value.code is ErrorCode.CANCELED
    assert len(lines(capsys, "list")) == 1


@pytest.mark.parametrize("what", ["show", "forget"])
def test_unknown_person_is_reported_as_not_found(capsys: pytest.CaptureFixture[str], what: str) -> None:
    with pytest.raises(AgentError) as refusal:
        lines(capsys, what, "Bob")
    assert refusal.value.code is ErrorCode.NOT_FOUND
