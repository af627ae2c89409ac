"""Training of the tool advisor from the feedback store. Only better policies are deployed."""

import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evaluation.learning.advised_agent import AdvisedAgent
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.advisor import training
from reachy_agent_ros.learning.advisor.advice_policy import SILENT, AdvicePolicy, RatingModel
from reachy_agent_ros.learning.advisor.choice import AdvisedChoice
from reachy_agent_ros.learning.advisor.training import evaluate_advisor, first_version, logged_choices, train_advisor
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.feedback.credit import Credit, Reward
from reachy_agent_ros.learning.feedback.rows import Row, rows_of_act, rows_of_reward
from reachy_agent_ros.learning.feedback.store import FeedbackStore
from reachy_agent_ros.learning.score import Score, sign_of


@pytest.fixture
def store(tmp_path: Path) -> Iterator[FeedbackStore]:
    opened = FeedbackStore(tmp_path / "feedback.db")
    yield opened
    opened.close()


@pytest.fixture
def policies(tmp_path: Path) -> PolicyStore:
    return PolicyStore(tmp_path / "policies")


def act_of(choice: AdvisedChoice) -> ActionRecord:
    now = time.time()
    return ActionRecord(
        uuid.uuid4(),
        uuid.uuid4(),
        TOOL_CHOICE,
        choice.situation.context,
        choice.action,
        choice.probability,
        "",
        now,
        now,
    )


def judged(act: ActionRecord, rating: float) -> list[Row]:
    """Returns the rows that are stored when a user rates the tool call of the same turn."""
    call = replace(act, act_id=uuid.uuid4(), skill="gesture", context={}, action={}, probability=1.0)
    score = Score(sign_of(rating), rating, 0.9)
    reward = Reward(uuid.uuid4(), act.ended + 1.0, score, (Credit(call, 1.0),))
    return [*rows_of_act(act), *rows_of_act(call), *rows_of_reward(reward)]


def log(store: FeedbackStore, choices: Sequence[AdvisedChoice], ratings: Vector) -> None:
    rows = [judged(act_of(one), float(rating)) for one, rating in zip(choices, ratings, strict=True)]
    store.add([row for some in rows for row in some])


def test_reads_logged_tool_choices_from_feedback_store(store: FeedbackStore) -> None:
    choices, ratings = AdvisedAgent(3).logged(20, SILENT, 0.5)
    log(store, choices, ratings)
    store.add(rows_of_act(act_of(choices[0])))
    found = logged_choices(store)
    assert found.choices == choices
    assert found.ratings.tolist() == ratings.tolist()
    assert (found.unjudged, found.refused) == (1, 0)


def test_skips_and_counts_invalid_logged_tool_choices(store: FeedbackStore) -> None:
    choices, ratings = AdvisedAgent(3).logged(2, SILENT, 0.5)
    log(store, choices, ratings)
    strange = replace(act_of(choices[0]), action={"launch_rocket": 1.0})
    store.add(judged(strange, 1.0))
    store.add(judged(replace(act_of(choices[0]), context={"fit.look_at": 0.5}), 1.0))
    assert logged_choices(store).refused == 2
    assert len(logged_choices(store).choices) == 2


def test_rejects_training_with_too_few_choices(store: FeedbackStore, policies: PolicyStore) -> None:
    with pytest.raises(AgentError) as raised:
        train_advisor(store, policies)
    assert raised.value.code is ErrorCode.NO_DATA
    assert policies.standing(TOOL_CHOICE).active == 0


@pytest.mark.nightly
def test_deploys_trained_advice_policy_only_if_it_is_better(store: FeedbackStore, policies: PolicyStore) -> None:
    world = AdvisedAgent(1, compliance=1.0)
    log(store, *world.logged(1500, SILENT, 0.9))
    done = train_advisor(store, policies)
    assert done.better
    assert done.evaluation.gain.low > 0.0
    assert policies.standing(TOOL_CHOICE).active == done.record.version == 2
    taught = AdvicePolicy.from_arrays(policies.weights(done.record))
    silent, better = world.value([SILENT, taught], 2000)
    assert better > silent
    assert evaluate_advisor(store, policies).gain.value > 0.0

    again = train_advisor(store, policies)  # training again on the same log gives no improvement
    assert not again.better
    assert policies.standing(TOOL_CHOICE).active == 2
    assert policies.roll_back(TOOL_CHOICE) == 1


@pytest.mark.slow
def test_deploys_no_advice_policy_if_model_ignores_advice(store: FeedbackStore, policies: PolicyStore) -> None:
    log(store, *AdvisedAgent(2, compliance=0.0).logged(300, SILENT, 0.9))
    done = train_advisor(store, policies)
    assert not done.better
    assert done.record.version == 1
    assert AdvicePolicy.from_arrays(policies.weights(done.record)) is SILENT


def test_evaluation_fits_rating_model_to_other_choices_than_it_evaluates(
    store: FeedbackStore, policies: PolicyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    fitted: dict[int, tuple[RatingModel, list[str]]] = {}
    evaluated: list[str] = []
    fit, evidence = RatingModel.fitted, training.evidence

    def noted_fit(choices: Sequence[AdvisedChoice], ratings: Vector) -> RatingModel:
        model = fit(choices, ratings)
        fitted[id(model)] = model, [repr(one) for one in choices]
        return model

    def noted_evidence(
        policy: AdvicePolicy, other: AdvicePolicy, choices: Sequence[AdvisedChoice], ratings: Vector, model: RatingModel
    ) -> Matrix:
        shown = [repr(one) for one in choices]
        assert set(shown).isdisjoint(fitted[id(model)][1])
        evaluated.extend(shown)
        return evidence(policy, other, choices, ratings, model)

    monkeypatch.setattr(RatingModel, "fitted", noted_fit)
    monkeypatch.setattr(training, "evidence", noted_evidence)
    log(store, *AdvisedAgent(2).logged(60, SILENT, 0.9))
    assert evaluate_advisor(store, policies).count == 60
    assert sorted(evaluated) == sorted(repr(one) for one in logged_choices(store).choices)


def test_rejects_advisor_training_while_a_policy_version_is_pinned(store: FeedbackStore, policies: PolicyStore) -> None:
    log(store, *AdvisedAgent(2).logged(60, SILENT, 0.9))
    first_version(policies)
    policies.pin(TOOL_CHOICE)
    with pytest.raises(AgentError, match="pinned"):
        train_advisor(store, policies)
