import tempfile
from pathlib import Path

import pytest

from reachy_agent_ros.learning.training.configuration import Algorithm, TrainingConfiguration
from reachy_agent_ros.learning.training.run import train


@pytest.mark.nightly
@pytest.mark.parametrize("algorithm", [Algorithm.POLICY_GRADIENT, Algorithm.SOFT_ACTOR_CRITIC])
def test_training_leaves_no_temporary_logger_folders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, algorithm: Algorithm
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    train(TrainingConfiguration("look_at", algorithm, 3, 8, 2, device="cpu", judge_every=4, judged=1))
    assert list(tmp_path.glob("SB3*")) == []
