import math
import uuid

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.credit import LEAST, assign_credit
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from support.learning.feedback_cases import act, said


def test_feedback_outside_a_turn_credits_only_latest_action() -> None:
    last = act(began=100.0, ended=101.0)
    (credit,) = assign_credit(said("good", at=102.0), [act(began=50.0, ended=51.0), last])
    assert (credit.act, credit.weight) == (last, 1.0)


def test_feedback_spoken_during_action_credits_running_action() -> None:
    before, running = act(began=90.0, ended=92.0), act(began=100.0, ended=math.inf)
    (credit,) = assign_credit(said("too far", at=101.0), [before, running])
    assert credit.act == running


def test_action_more_recent_than_reaction_time_gets_no_credit() -> None:
    first, second = act(began=100.0, ended=101.9), act(began=102.0, ended=103.0)
    (credit,) = assign_credit(said("good", at=102.1), [first, second])
    assert credit.act == first


def test_later_action_of_turn_gets_more_credit() -> None:
    turn = uuid.uuid4()
    first, second = act(turn, began=100.0, ended=101.0), act(turn, began=101.0, ended=102.0)
    credits_ = assign_credit(said("nice", at=102.5), [first, second])
    assert [credit.act for credit in credits_] == [second, first]
    assert credits_[0].weight == pytest.approx(0.67, abs=0.01)


def test_feedback_after_many_short_actions_of_turn_credits_most_likely_action() -> None:
    turn = uuid.uuid4()
    acts = [act(turn, began=100.0 + 0.05 * number, ended=100.05 + 0.05 * number) for number in range(60)]
    (credit,) = assign_credit(said("nice", at=acts[-1].began + 0.22), acts)
    assert (credit.act, credit.weight) == (acts[-2], 1.0)


def test_feedback_credits_actions_of_only_one_turn() -> None:
    old, new = act(uuid.uuid4(), began=100.0, ended=101.0), act(uuid.uuid4(), began=101.0, ended=102.0)
    credits_ = assign_credit(said("nice", at=102.5), [old, new])
    assert [(credit.act, credit.weight) for credit in credits_] == [(new, 1.0)]


def test_feedback_for_specified_turn_credits_turn_after_any_delay() -> None:
    turn = uuid.uuid4()
    meant = act(turn, began=100.0, ended=101.0)
    later = act(uuid.uuid4(), began=500.0, ended=501.0)
    (credit,) = assign_credit(said("good", at=501.5, turn_id=turn), [meant, later])
    assert credit.act == meant


def test_typed_feedback_has_longer_time_window_than_speech() -> None:
    only = act(began=100.0, ended=101.0)
    assert assign_credit(said("good", at=120.0, source=FeedbackSource.TEXT), [only])[0].act == only
    with pytest.raises(AgentError, match="in the preceding 4 s") as error:
        assign_credit(said("good", at=120.0), [only])
    assert error.value.code is ErrorCode.NO_DATA


def test_rejects_feedback_without_action_to_credit() -> None:
    with pytest.raises(AgentError, match="nothing to judge"):
        assign_credit(said("good", at=10.0), [])
    with pytest.raises(AgentError, match="in turn") as error:
        assign_credit(said("good", at=10.0, turn_id=uuid.uuid4()), [act(began=8.0, ended=9.0)])
    assert error.value.code is ErrorCode.NO_DATA


TIMES = st.floats(0.0, 20.0)


@given(
    spans=st.lists(st.tuples(TIMES, st.floats(0.0, 5.0), st.booleans()), max_size=8),
    at=TIMES,
    source=st.sampled_from(FeedbackSource),
)
def test_credit_weights_of_turn_sum_to_one(
    spans: list[tuple[float, float, bool]], at: float, source: FeedbackSource
) -> None:
    turn = uuid.uuid4()
    acts = [act(turn if ours else None, began=began, ended=began + lasts) for began, lasts, ours in spans]
    try:
        credits_ = assign_credit(said("good", at=at, source=source), acts)
    except AgentError:
        return
    assert sum(credit.weight for credit in credits_) == pytest.approx(1.0)
    assert all(credit.weight >= LEAST * 0.999 and credit.act.began <= at for credit in credits_)
    assert len({credit.act.turn_id or credit.act.act_id for credit in credits_}) == 1


@pytest.mark.parametrize(
    "source", [FeedbackSource.SPEECH, FeedbackSource.BUTTON, FeedbackSource.RATING, FeedbackSource.TEXT]
)
def test_latest_action_gets_most_credit_for_feedback_two_seconds_later(source: FeedbackSource) -> None:
    before = act(uuid.uuid4(), began=80.0, ended=81.0)
    last = act(uuid.uuid4(), began=100.0, ended=101.0)
    (credit, *_) = assign_credit(said("good", at=102.3, source=source), [before, last])
    assert credit.act == last
