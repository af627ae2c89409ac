from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.feedback.credit import Credit, Reward
from reachy_agent_ros.learning.feedback.history import past_judgments, past_rewards
from reachy_agent_ros.learning.feedback.rows import row_of_judgment, rows_of_act, rows_of_reward
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.feedback_event import FeedbackSource
from reachy_agent_ros.learning.score import Score, Sign
from support.learning.feedback_cases import act, said


def give(store: FeedbackStore, text: str, at: float, *shares: tuple[ActionRecord, float]) -> None:
    judgment = said(text, at=at, person="Ada")
    score = Score(Sign.POSITIVE, 0.7, 0.9)
    reward = Reward(judgment.feedback_id, at, score, tuple(Credit(done, weight) for done, weight in shares))
    store.add([*(row for done, _ in shares for row in rows_of_act(done)), row_of_judgment(judgment)])
    store.add(rows_of_reward(reward))


def test_feedback_history_lists_entries_with_rewards_newest_first(store: FeedbackStore) -> None:
    look, wave = act(), act(skill="wave")
    give(store, "good", 102.0, (look, 0.3), (wave, 0.7))
    give(store, "better", 103.0, (look, 1.0))
    judgments = past_judgments(store, 0.0, 10)
    assert [(one.text, one.source, one.person) for one in judgments] == [
        ("better", FeedbackSource.SPEECH, "Ada"),
        ("good", FeedbackSource.SPEECH, "Ada"),
    ]
    assert [(one.skill, one.weight, one.rating) for one in judgments[1].rewards] == [
        ("wave", 0.7, 0.7),
        ("look_at_object", 0.3, 0.7),
    ]
    assert [(one.skill, one.given) for one in past_rewards(store, 0.0, 10)] == [
        ("look_at_object", 103.0),
        ("wave", 102.0),
        ("look_at_object", 102.0),
    ]


def test_feedback_history_is_filtered_by_time_skill_and_limit(store: FeedbackStore) -> None:
    look, wave = act(), act(skill="wave")
    give(store, "good", 102.0, (wave, 1.0))
    give(store, "better", 103.0, (look, 1.0))
    give(store, "best", 104.0, (look, 1.0))
    assert [one.text for one in past_judgments(store, 103.0, 10)] == ["best"]
    assert [one.text for one in past_judgments(store, 0.0, 2)] == ["best", "better"]
    assert [one.given for one in past_rewards(store, 0.0, 10, "wave")] == [102.0]
    assert past_rewards(store, 0.0, 10, "dance") == []


def test_feedback_without_actions_has_no_rewards(store: FeedbackStore) -> None:
    store.add([row_of_judgment(said("good", at=102.0))])
    (judgment,) = past_judgments(store, 0.0, 10)
    assert (judgment.turn_id, judgment.rating, list(judgment.rewards)) == ("", None, [])
