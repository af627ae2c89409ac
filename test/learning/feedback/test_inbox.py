import threading
import uuid
from concurrent.futures import Future
from dataclasses import replace

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.credit import Reward
from reachy_agent_ros.learning.feedback.inbox import FeedbackInbox
from reachy_agent_ros.learning.feedback.recorder import FeedbackRecorder
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.score import Score
from support.learning.feedback_cases import WordScorer, act, said


class HeldScorer(WordScorer):
    """Waits for a permission."""

    def __init__(self) -> None:
        self.permission = threading.Event()

    def score(self, text: str, act: str = "", person: str = "") -> Score:
        assert self.permission.wait(30.0)
        return super().score(text, act)


def stored(store: FeedbackStore) -> list[str]:
    return [row.values["feedback_id"] for row in store.rows() if row.table == "judgements"]


@pytest.mark.slow
def test_of_a_flood_all_that_was_acknowledged_is_stored_and_the_rest_is_refused_and_counted(
    store: FeedbackStore,
) -> None:
    scorer = HeldScorer()
    recorder = FeedbackRecorder(store, scorer)
    recorder.note_act(act())
    inbox = FeedbackInbox(recorder, capacity=50)
    taken: list[Future[Reward]] = []
    codes, judgement = set(), said("good")
    for number in range(10_000):
        try:
            taken.append(inbox.offer(replace(judgement, feedback_id=uuid.UUID(int=number + 1))))
        except AgentError as error:
            codes.add(error.code)
    assert codes == {ErrorCode.RATE_EXCEEDED}
    assert 50 <= len(taken) <= 51
    assert inbox.refused == 10_000 - len(taken)
    scorer.permission.set()
    rewards = [future.result(60.0) for future in taken]
    inbox.close()
    assert sorted(str(reward.feedback_id) for reward in rewards) == sorted(stored(store))


def test_what_cannot_be_judged_is_told_to_whoever_gave_it_and_the_next_is_served(store: FeedbackStore) -> None:
    recorder = FeedbackRecorder(store, WordScorer())
    inbox = FeedbackInbox(recorder)
    with pytest.raises(AgentError, match="nothing to judge"):
        inbox.offer(said("good")).result(30.0)
    recorder.note_act(act())
    assert inbox.offer(said("good")).result(30.0).score.rating == 0.7
    inbox.close()


def test_closing_stores_what_waits_and_takes_no_more(store: FeedbackStore) -> None:
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
