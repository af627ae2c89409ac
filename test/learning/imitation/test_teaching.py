import json
import math
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction.policy_store import PolicyStore
from reachy_agent_ros.learning.demonstrations.index import Demonstrations
from reachy_agent_ros.learning.imitation import teaching
from reachy_agent_ros.learning.imitation.examination import no_worse
from reachy_agent_ros.learning.imitation.measuring import Measuring
from reachy_agent_ros.learning.imitation.taught_skill import StoredRepertoire
from reachy_agent_ros.learning.imitation.teaching import TaughtVersion, Teaching
from reachy_agent_ros.learning.training.configuration import Algorithm
from support.learning.shown import recorded


def nods(amplitude_deg: float = 12.0, tempo: float = 0.8, rate: float = 50.0) -> list[Vector]:
    """Returns the coordinates of two nods, with a pause before and after."""
    times = np.arange(0.0, 2.0 / tempo + 1.0, 1.0 / rate)
    rows = np.zeros((len(times), 9))
    turned = np.clip(times - 0.5, 0.0, 2.0 / tempo)
    rows[:, 4] = math.radians(amplitude_deg) * np.sin(math.tau * tempo * turned)
    return list(rows)


def shown(directory: Path) -> Path:
    recorded(Demonstrations(directory / "demonstrations"), nods())
    return directory


@pytest.fixture
def directory(tmp_path: Path) -> Path:
    """Teaching directory with one demonstration of a nod."""
    return shown(tmp_path)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, TaughtVersion]:
    """Directory and result of a completed training run of 60 episodes.

    Tests share the directory and must not change it.
    """
    directory = shown(tmp_path_factory.mktemp("learned"))
    return directory, cloned(directory)


@pytest.fixture
def learned(first: tuple[Path, TaughtVersion], tmp_path: Path) -> Path:
    """Copy of the directory of the fixture `first`, which the test may change."""
    return shutil.copytree(first[0], tmp_path / "learned")


@pytest.fixture(scope="module")
def begun(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Directory of a completed training run of one episode.

    Tests share the directory and must not change it.
    """
    directory = shown(tmp_path_factory.mktemp("begun"))
    assert cloned(directory, episodes=1).deployed
    return directory


@pytest.fixture
def hardly_learned(begun: Path, tmp_path: Path) -> Path:
    """Copy of the directory of the fixture `begun`, which the test may change."""
    return shutil.copytree(begun, tmp_path / "hardly_learned")


def cloned(directory: Path, seed: int = 1, episodes: int = 60) -> TaughtVersion:
    return Teaching(directory).train("nod", Algorithm.CLONING, episodes, seed)


@pytest.mark.slow
def test_trained_version_outperforms_untrained_robot(first: tuple[Path, TaughtVersion]) -> None:
    directory, made = first
    assert made.deployed
    figures = made.record.figures
    assert figures["error"] < 0.5 * figures["error_before"]
    assert figures["cost"] == 0.0
    assert {file.name for file in made.folder.iterdir()} >= {"curve.png", "courses.png"}
    assert any(file.name.startswith("events.out.tfevents") for file in made.folder.iterdir())
    skill = StoredRepertoire(directory / "policies").find("nod")
    assert skill is not None
    assert np.ptp(skill.course.points) == pytest.approx(math.radians(24.0), rel=0.1)


@pytest.mark.parametrize(("reward", "cost", "may"), [(-0.1, 0.0, True), (-0.2, 0.0, False), (0.0, 0.1, False)])
def test_version_is_deployable_only_if_reward_and_cost_are_not_worse(reward: float, cost: float, may: bool) -> None:
    assert no_worse({"reward": reward, "cost": cost}, {"reward": -0.1, "cost": 0.0}) == may


@pytest.mark.nightly
def test_worse_taught_version_is_saved_but_not_deployed(hardly_learned: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = PolicyStore(hardly_learned / "policies")
    good = store.standing("nod").active
    monkeypatch.setattr(teaching, "no_worse", lambda _new, _old: False)
    bad = cloned(hardly_learned, seed=2, episodes=1)
    assert not bad.deployed
    assert store.standing("nod").active == good
    assert [one.version for one in store.list("nod")] == [1, 2]
    assert store.list("nod")[1].parent == 1


@pytest.mark.nightly
def test_pinned_taught_version_stays_active(hardly_learned: Path) -> None:
    PolicyStore(hardly_learned / "policies").pin("nod")
    assert not cloned(hardly_learned).deployed


@pytest.mark.nightly
def test_new_demonstration_starts_new_training_run(learned: Path) -> None:
    recorded(Demonstrations(learned / "demonstrations"), nods(amplitude_deg=8.0, tempo=1.2), later=60.0)
    again = cloned(learned)
    assert again.deployed
    assert len(list((learned / "runs" / "nod").glob("*/curve.png"))) == 2


@pytest.mark.slow
def test_rejects_taught_version_with_weights_of_wrong_shape(hardly_learned: Path) -> None:
    store = PolicyStore(hardly_learned / "policies")
    (record,) = store.list("nod")
    store.save(record, {**store.weights(record), "bias0": np.zeros(3)})
    with pytest.raises(AgentError) as refused:
        Measuring(hardly_learned).evaluate("nod")
    assert refused.value.code is ErrorCode.POLICY_REJECTED
    with pytest.raises(AgentError) as unusable:
        StoredRepertoire(hardly_learned / "policies").find("nod")
    assert unusable.value.code is ErrorCode.POLICY_REJECTED


@pytest.mark.slow
def test_evaluation_rejects_missing_version_and_missing_skill(directory: Path) -> None:
    for skill, version, code in (("nod", 7, ErrorCode.NOT_FOUND), ("somersault", 0, ErrorCode.NO_DATA)):
        with pytest.raises(AgentError) as refused:
            Measuring(directory).evaluate(skill, version)
        assert refused.value.code is code


def lines(process: subprocess.Popen[str]) -> list[dict[str, Any]]:
    assert process.stdout is not None
    return [json.loads(line) for line in process.stdout]


def started(directory: Path) -> subprocess.Popen[str]:
    arguments = ["train", "nod", "--directory", str(directory), "--algorithm", "bc", "--episodes", "80"]
    command = [sys.executable, "-m", "reachy_agent_ros.learning.imitation", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.nightly
def test_killed_training_resumes_with_same_result(directory: Path) -> None:
    with started(directory) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if json.loads(line)["episode"] > 41:
                break
        process.send_signal(signal.SIGKILL)
    with started(directory) as process:
        resumed = lines(process)
    assert resumed[0]["episode"] > 20
    with started(directory) as process:
        undisturbed = lines(process)
    assert undisturbed[0]["episode"] == 0
    assert resumed[-1]["done"]["figures"]["error"] == undisturbed[-1]["done"]["figures"]["error"]
    assert resumed[-2] == undisturbed[-2]
