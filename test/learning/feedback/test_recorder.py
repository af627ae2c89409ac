import math
import threading
import uuid
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback import recorder as recorder_module
from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback.implicit import Signal, implicit_judgment
from reachy_agent_ros.learning.feedback.recorder import FeedbackInbox, FeedbackRecorder, is_judgment
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.score import Axis, Score, Sign
from support.learning.feedback_cases import WordScorer, act, said
from support.waiting import wait_until


@pytest.fixture
def recorder(store: FeedbackStore) -> FeedbackRecorder:
    return FeedbackRecorder(store, WordScorer())


def rows(store: FeedbackStore, table: str) -> list[dict[str, object]]:
    return [dict(row.values) for row in store.rows() if row.table == table]


def test_recorder_stores_reward_with_policy_version(recorder: FeedbackRecorder, store: FeedbackStore) -> None:
    done = act()
    recorder.note_act(done)
    reward = recorder.give(said("too far down"))
    assert (reward.act, reward.policy_version, reward.score.axes) == (done, "look-3", (Axis.PITCH_UP,))
    (stored,) = rows(store, "rewards")
    assert stored["act_id"] == str(done.act_id)
    assert (stored["policy_version"], stored["axes"], stored["rating"]) == ("look-3", ["pitch_up"], -0.3)
    assert [row["text"] for row in rows(store, "judgements")] == ["too far down"]


def test_recorder_stores_no_reward_without_action_to_credit(recorder: FeedbackRecorder, store: FeedbackStore) -> None:
    with pytest.raises(AgentError) as error:
        recorder.give(said("good"))
    assert error.value.code is ErrorCode.NO_DATA
    assert rows(store, "judgements") == []


def test_feedback_can_credit_running_action(recorder: FeedbackRecorder) -> None:
    running = act(ended=math.inf)
    recorder.note_act(running)
    assert recorder.give(said("good", at=110.0)).act == running
    recorder.note_act(replace(running, ended=111.0))
    assert recorder.give(said("good", at=112.0)).act.ended == 111.0


def test_feedback_can_credit_action_from_before_restart(recorder: FeedbackRecorder, path: Path) -> None:
    done = act(uuid.uuid4())
    recorder.note_act(done)
    again = FeedbackStore(path)
    assert FeedbackRecorder(again, WordScorer()).give(said("good")).act == done
    again.close()


def test_explicit_rating_overrides_sign_of_text_but_preserves_correction_axes(recorder: FeedbackRecorder) -> None:
    recorder.note_act(act())
    reward = recorder.give(said("too far down", source=FeedbackSource.RATING, rating=0.5))
    assert (reward.score.sign, reward.score.rating, reward.score.confidence) == (Sign.POSITIVE, 0.5, 1.0)
    assert reward.score.axes == (Axis.PITCH_UP,)
    assert recorder.give(said("", source=FeedbackSource.BUTTON, rating=-1.0)).score.sign is Sign.NEGATIVE


def test_recorder_detects_urgent_stop_without_scorer(recorder: FeedbackRecorder) -> None:
    recorder.note_act(act())
    assert recorder.give(said("no no stop")).score.stop
    assert not recorder.give(said("good")).score.stop


def test_recorder_assigns_rewards_during_database_outage(
    recorder: FeedbackRecorder, store: FeedbackStore, path: Path
) -> None:
    recorder.note_act(act())
    path.rename(path.with_name("away"))
    recorder.note_act(act(began=103.0, ended=104.0))
    assert recorder.give(said("good", at=105.0)).act.began == 103.0
    with pytest.raises(AgentError, match="is missing"):
        recorder.give(said("good", at=105.0, turn_id=uuid.uuid4()))
    path.with_name("away").rename(path)
    assert [row["text"] for row in rows(store, "judgements")] == ["good"]


@pytest.mark.slow
def test_calibrates_implicit_signals_from_ratings_of_same_person(recorder: FeedbackRecorder) -> None:
    def interrupted(person: str, at: float) -> float:
        return recorder.give(implicit_judgment(Signal.INTERRUPTION, 0.5, person=person, given=at)).score.rating

    for number in range(40):
        began = 1000.0 * (number + 1)
        recorder.note_act(act(began=began, ended=began + 1.0))
        for person, words in (("Ada", "bad"), ("Bob", "good")):
            interrupted(person, began + 1.0)
            recorder.give(said(words, at=began + 2.0, person=person))
    recorder.note_act(act(began=90_000.0, ended=90_001.0))
    before = interrupted("Ada", 90_001.5)
    recorder.calibrate()
    assert interrupted("Ada", 90_001.5) < before - 0.3
    assert interrupted("Bob", 90_001.5) == 0.0
    assert interrupted("Eve", 90_001.5) == before


def test_recorder_asks_about_feedback_at_most_once_in_five_turns(recorder: FeedbackRecorder) -> None:
    asked = []
    for turn in range(12):
        began = 1000.0 * (turn + 1)
        recorder.note_act(act(uuid.uuid4(), began=began, ended=began + 1.0))
        asked.append(recorder.question(recorder.give(said("hm", at=began + 2.0))) is not None)
    assert [number for number, one in enumerate(asked) if one] == [0, 5, 10]


def test_recorder_does_not_ask_about_clear_feedback(recorder: FeedbackRecorder) -> None:
    recorder.note_act(act(uuid.uuid4()))
    assert recorder.question(recorder.give(said("good"))) is None


PRAISE = Score(Sign.POSITIVE, 0.8, 0.95)


BLAME = Score(Sign.NEGATIVE, -0.4, 0.85)


CORRECTION = Score(Sign.NEGATIVE, -0.3, 0.9, (Axis.YAW_LEFT,))


@pytest.mark.parametrize("score", [PRAISE, BLAME, CORRECTION])
def test_confident_praise_or_criticism_counts_as_feedback(score: Score) -> None:
    assert is_judgment(score, obeyed=False)


@pytest.mark.parametrize(
    "score",
    [
        Score(Sign.NEUTRAL, 0.0, 1.0),
        Score(Sign.POSITIVE, 0.8, 0.7),
        Score(Sign.NEGATIVE, -1.0, 1.0, (Axis.STOP,), stop=True),
    ],
)
def test_uncertain_or_neutral_or_stop_text_is_not_feedback(score: Score) -> None:
    assert not is_judgment(score, obeyed=False)


def test_executed_command_counts_as_feedback_only_if_it_is_a_correction() -> None:
    assert is_judgment(CORRECTION, obeyed=True)
    assert not is_judgment(BLAME, obeyed=True)


class HeldScorer(WordScorer):
    """Scorer that blocks until `permission` is set."""

    def __init__(self) -> None:
        self.permission = threading.Event()

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        assert self.permission.wait(30.0)
        return super().score(text, act)


def stored(store: FeedbackStore) -> list[str]:
    return [row.values["feedback_id"] for row in store.rows() if row.table == "judgements"]


@pytest.mark.slow
def test_full_feedback_queue_rejects_and_counts_additional_entries(
    store: FeedbackStore,
) -> None:
    scorer = HeldScorer()
    recorder = FeedbackRecorder(store, scorer)
    recorder.note_act(act())
    inbox = FeedbackInbox(recorder, capacity=50)
    taken: list[Future[Reward]] = []
    codes, judgment = set(), said("good")
    for number in range(10_000):
        try:
            taken.append(inbox.offer(replace(judgment, feedback_id=uuid.UUID(int=number + 1))))
        except AgentError as error:
            codes.add(error.code)
    assert codes == {ErrorCode.RATE_EXCEEDED}
    assert 50 <= len(taken) <= 51
    assert inbox.refused == 10_000 - len(taken)
    scorer.permission.set()
    rewards = [future.result(60.0) for future in taken]
    inbox.close()
    assert sorted(str(reward.feedback_id) for reward in rewards) == sorted(stored(store))


def test_feedback_queue_continues_after_error(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer())
    inbox = FeedbackInbox(recorder)
    with pytest.raises(AgentError, match="nothing to judge"):
        inbox.offer(said("good")).result(30.0)
    recorder.note_act(act())
    assert inbox.offer(said("good")).result(30.0).score.rating == 0.7
    inbox.close()


def test_closing_feedback_queue_stores_queued_entries_and_rejects_new_entries(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer())
    recorder.note_act(act())
    inbox = FeedbackInbox(recorder)
    taken = [inbox.offer(said("good")) for _ in range(10)]
    inbox.close()
    inbox.close()
    assert all(future.done() and not future.exception() for future in taken)
    assert len(stored(store)) == 10
    with pytest.raises(AgentError) as error:
        inbox.offer(said("good"))
    assert error.value.code is ErrorCode.SHUTTING_DOWN


def test_feedback_dropped_while_closing_fails_with_shutting_down(
    store: FeedbackStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recorder_module, "CLOSING_TIME", 0.0)
    scorer = HeldScorer()
    recorder = FeedbackRecorder(store, scorer)
    recorder.note_act(act())
    inbox = FeedbackInbox(recorder)
    stored_last = inbox.offer(said("good"))
    wait_until(lambda: inbox.waiting == 0)
    dropped = [inbox.note(act()), inbox.offer(said("good"), awaited=True), inbox.overhear(said("good"), obeyed=False)]
    closing = threading.Thread(target=inbox.close)
    closing.start()
    wait_until(lambda: inbox.waiting == len(dropped) + 1)
    scorer.permission.set()
    closing.join()
    assert stored(store) == [str(stored_last.result().feedback_id)]
    for future in dropped:
        with pytest.raises(AgentError) as error:
            future.result(0.0)
        assert error.value.code is ErrorCode.SHUTTING_DOWN


def test_overheard_instruction_is_not_used_as_feedback(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer(), lambda text: text.startswith("don't"))
    recorder.note_act(act(uuid.uuid4()))
    assert recorder.overhear(said("don't be good"), obeyed=False).score.sign is Sign.NEUTRAL
    assert recorder.overhear(said("good"), obeyed=False).score.sign is Sign.POSITIVE


def test_overheard_instruction_to_stop_is_treated_as_stop(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer(), lambda _text: True)
    recorder.note_act(act(uuid.uuid4()))
    assert recorder.overhear(said("stop, don't move"), obeyed=False).score.stop
