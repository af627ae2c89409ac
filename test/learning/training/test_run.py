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
    """Who stands for a person: the third pair of entries is the error."""
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
        pytest.param("gail", 12, 2, marks=pytest.mark.nightly),  # rounds of four episodes, as of all that PPO does
        pytest.param("preference", 12, 0, marks=pytest.mark.nightly),
        ("ppo", 12, 0),
        pytest.param("ppo", 12, 2, marks=pytest.mark.nightly),
        pytest.param("sac", 6, 2, marks=pytest.mark.nightly),
    ],
)
def test_a_killed_run_goes_on_to_the_same_curve(
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
def test_refining_what_is_good_does_not_forget_it() -> None:
    configuration = TrainingConfiguration(
        "look_at", Algorithm.POLICY_GRADIENT, 0, 24, 5, device="cpu", judge_every=8, judged=10
    )
    judged = train(configuration).judgements
    assert judged[0] >= 0.9
    assert min(judged) >= 0.9 * judged[0]


@pytest.mark.slow
def test_a_trained_policy_acts_without_pytorch_and_proposes_nothing_unsafe() -> None:
    configuration = small("bc", 100, 5)
    found = judge(configuration, Actor(train(configuration).weights), episodes=10)
    assert found["success"] >= 0.9
    assert found["cost"] == 0.0


@pytest.mark.slow
def test_the_checkpoint_of_another_run_is_refused(tmp_path: Path) -> None:
    train(small("ppo", 4, 0), tmp_path)
    with pytest.raises(AgentError, match="differs in seed") as caught:
        train(replace(small("ppo", 8, 0), seed=4), tmp_path)
    assert caught.value.code is ErrorCode.POLICY_REJECTED


def test_a_checkpoint_of_another_shape_is_refused(tmp_path: Path) -> None:
    train(small("ppo", 4, 0), tmp_path)
    path = tmp_path / "checkpoint.npz"
    stored = Checkpoint.read(path)
    Checkpoint({**stored.arrays, "policy/action_net.bias": np.zeros(5, np.float32)}, stored.facts).write(path)
    with pytest.raises(AgentError, match=r"another shape: policy/action_net.bias is \(5,\) there and \(2,\) here"):
        train(small("ppo", 8, 0), tmp_path)


def test_a_canceled_run_gives_what_it_has() -> None:
    outcome = train(small("dagger"), canceled=lambda: True)
    assert not outcome.finished
    assert len(outcome.curve) == 1


@pytest.mark.slow
def test_a_finished_run_goes_on_when_more_episodes_are_wanted(tmp_path: Path) -> None:
    train(small("ppo", 4, 0), tmp_path)
    assert [each.episodes for each in train(small("ppo", 8, 0), tmp_path).curve] == [0, 4, 8]


@pytest.mark.slow
def test_progress_becomes_an_event_file_and_a_plot(tmp_path: Path) -> None:
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
        ({"demonstrations": 0}, ErrorCode.NO_DATA),
    ],
)
def test_a_run_that_makes_no_sense_is_refused(change: dict[str, object], code: ErrorCode) -> None:
    with pytest.raises(AgentError) as caught:
        replace(small("bc"), **change)
    assert caught.value.code is code


def test_a_device_that_is_not_there_is_refused() -> None:
    with pytest.raises(AgentError, match="no device 'cuda:99'"):
        train(replace(small("ppo"), device="cuda:99"))


def test_comparisons_that_nobody_makes_are_refused() -> None:
    with pytest.raises(AgentError, match="needs a comparer"):
        train(small("preference", demonstrations=0))


@pytest.mark.nightly
def test_a_sweep_gives_what_its_runs_would(tmp_path: Path) -> None:
    configuration = small("dagger", 1)
    (swept,) = sweep([configuration], Place(processes=1), tmp_path)
    assert list(swept.curve) == list(train(configuration).curve)
    assert (tmp_path / "0" / "checkpoint.npz").exists()
