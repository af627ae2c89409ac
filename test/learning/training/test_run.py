from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.actor import Actor
from reachy_agent_ros.learning.training.checkpoint import Checkpoint
from reachy_agent_ros.learning.training.configuration import Algorithm, TrainingConfiguration
from reachy_agent_ros.learning.training.learner import People
from reachy_agent_ros.learning.training.preference import Fragment
from reachy_agent_ros.learning.training.run import (
    Place,
    TensorBoardListener,
    TrainingRound,
    judge,
    plot_curve,
    sweep,
    train,
)


def small(algorithm: str, episodes: int = 8, demonstrations: int = 2) -> TrainingConfiguration:
    return TrainingConfiguration(
        "look_at", Algorithm(algorithm), 3, episodes, demonstrations, device="cpu", judge_every=4, judged=2
    )


def nearer(first: Fragment, second: Fragment) -> float:
    """Simulates a person who prefers the fragment with the smaller error.

    The errors are elements 4 and 5 of the observation.
    """
    errors = [float(np.abs(each.observations[:, 4:6]).sum()) for each in (first, second)]
    return float(errors[0] < errors[1])


PEOPLE = People(comparer=nearer)


class KilledError(Exception):
    pass


@pytest.mark.slow
@pytest.mark.parametrize(
    ("algorithm", "episodes", "demonstrations"),
    [
        ("bc", 6, 2),
        pytest.param("dagger", 6, 2, marks=pytest.mark.nightly),
        pytest.param("gail", 12, 2, marks=pytest.mark.nightly),  # four episodes per round, as in all PPO variants
        pytest.param("preference", 12, 0, marks=pytest.mark.nightly),
        ("ppo", 12, 0),
        pytest.param("ppo", 12, 2, marks=pytest.mark.nightly),
        pytest.param("sac", 6, 2, marks=pytest.mark.nightly),
    ],
)
def test_killed_training_run_resumes_with_same_learning_curve(
    tmp_path: Path, algorithm: str, episodes: int, demonstrations: int
) -> None:
    configuration = small(algorithm, episodes, demonstrations)
    undisturbed = train(configuration, people=PEOPLE)

    def kill(progress: TrainingRound) -> None:
        if progress.episodes >= 5:
            raise KilledError

    with pytest.raises(KilledError):
        train(configuration, tmp_path, people=PEOPLE, listeners=[kill])
    resumed = train(configuration, tmp_path, people=PEOPLE)
    assert resumed.finished
    assert list(resumed.curve) == list(undisturbed.curve)
    for name, array in undisturbed.weights.items():
        np.testing.assert_array_equal(resumed.weights[name], array)


@pytest.mark.slow
def test_fine_tuning_keeps_success_rate_of_good_policy() -> None:
    configuration = TrainingConfiguration(
        "look_at", Algorithm.POLICY_GRADIENT, 0, 24, 5, device="cpu", judge_every=8, judged=10
    )
    judged = train(configuration).judgments
    assert judged[0] >= 0.9
    assert min(judged) >= 0.9 * judged[0]


@pytest.mark.slow
def test_trained_policy_succeeds_without_unsafe_actions() -> None:
    configuration = small("bc", 100, 5)
    found = judge(configuration, Actor(train(configuration).weights), episodes=10)
    assert found["success"] >= 0.9
    assert found["cost"] == 0.0


@pytest.mark.slow
def test_rejects_checkpoint_of_different_training_run(tmp_path: Path) -> None:
    train(small("ppo", 4, 0), tmp_path)
    with pytest.raises(AgentError, match="differs in seed") as caught:
        train(replace(small("ppo", 8, 0), seed=4), tmp_path)
    assert caught.value.code is ErrorCode.POLICY_REJECTED


def test_rejects_checkpoint_with_weights_of_wrong_shape(tmp_path: Path) -> None:
    train(small("ppo", 4, 0), tmp_path)
    path = tmp_path / "checkpoint.npz"
    stored = Checkpoint.read(path)
    Checkpoint({**stored.arrays, "policy/action_net.bias": np.zeros(5, np.float32)}, stored.facts).write(path)
    with pytest.raises(AgentError, match=r"does not fit: policy/action_net.bias is \(5,\), expected \(2,\)"):
        train(small("ppo", 8, 0), tmp_path)


def test_only_validations_report_success_rate() -> None:
    outcome = train(small("dagger", 2))
    assert [each.episodes for each in outcome.curve if "success" in each.figures] == [0, 2]
    assert len(outcome.judgments) == 2


def test_canceled_training_run_returns_progress() -> None:
    outcome = train(small("dagger"), canceled=lambda: True)
    assert not outcome.finished
    assert len(outcome.curve) == 1


@pytest.mark.slow
def test_finished_training_run_can_continue_with_more_episodes(tmp_path: Path) -> None:
    train(small("ppo", 4, 0), tmp_path)
    assert [each.episodes for each in train(small("ppo", 8, 0), tmp_path).curve] == [0, 4, 8]


@pytest.mark.slow
def test_training_writes_event_file_and_plot(tmp_path: Path) -> None:
    with TensorBoardListener(tmp_path / "events") as events:
        outcome = train(small("dagger"), listeners=[events])
    plot_curve(outcome.curve, "look_at by DAgger", tmp_path / "curve.png")
    assert (tmp_path / "curve.png").read_bytes().startswith(b"\x89PNG")
    assert any((tmp_path / "events").glob("events.out.tfevents.*"))


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"task": "no_such_task"}, ErrorCode.NOT_FOUND),
        ({"task": "curtsey"}, ErrorCode.POLICY_REJECTED),
        ({"episodes": 0}, ErrorCode.INVALID_GOAL),
        ({"seed": -1}, ErrorCode.INVALID_GOAL),
        ({"seed": 1000}, ErrorCode.INVALID_GOAL),  # its demonstrations would be the validation episodes
        ({"demonstrations": 1001}, ErrorCode.INVALID_GOAL),
        ({"judged": 1001}, ErrorCode.INVALID_GOAL),
        ({"demonstrations": 0}, ErrorCode.NO_DATA),
    ],
)
def test_rejects_invalid_training_configuration(change: dict[str, object], code: ErrorCode) -> None:
    with pytest.raises(AgentError) as caught:
        replace(small("bc"), **change)
    assert caught.value.code is code


def test_rejects_unavailable_device() -> None:
    with pytest.raises(AgentError, match="Device 'cuda:99' not found"):
        train(replace(small("ppo"), device="cuda:99"))


def test_rejects_preference_learning_without_comparison_function() -> None:
    with pytest.raises(AgentError, match="requires a comparer"):
        train(small("preference", demonstrations=0))


@pytest.mark.nightly
def test_parameter_sweep_matches_single_runs(tmp_path: Path) -> None:
    configuration = small("dagger", 1)
    (swept,) = sweep([configuration], Place(processes=1), tmp_path)
    assert list(swept.curve) == list(train(configuration).curve)
    assert (tmp_path / "0" / "checkpoint.npz").exists()
