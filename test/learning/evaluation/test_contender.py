from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.evaluation.contender import contender
from reachy_agent_ros.learning.evaluation.evaluation import ALL_TASKS
from reachy_agent_ros.learning.training.actor import Weights


def weights(observations: int, actions: int) -> Weights:
    return {
        "mean": np.zeros(observations),
        "scale": np.ones(observations),
        "weight0": np.zeros((actions, observations)),
        "bias0": np.full(actions, 0.5),
    }


@pytest.mark.parametrize("name", ["expert", "untrained"])
def test_built_in_policies_act_in_every_task(name: str) -> None:
    found = contender(name)
    assert set(found.tasks) == set(ALL_TASKS)
    for task, specification in ALL_TASKS.items():
        seen = np.zeros(len(specification.observation), np.float32)
        assert found.policy(task).action(seen).shape == (len(specification.action),)


def test_stored_policy_version_runs_in_all_tasks_with_same_layout(tmp_path: Path) -> None:
    store = PolicyStore(tmp_path)
    store.save(PolicyRecord("look_at", 0, "bc", 0.0), weights(8, 2))
    store.save(PolicyRecord("look_at", 0, "ppo", 0.0), weights(8, 2))
    assert contender("look_at", store=store).name == "look_at@2"
    first = contender("look_at@1", store=store)
    assert first.name == "look_at@1"
    assert {"look_at", "track_moving_target", "figure_eight", "payload"} <= set(first.tasks)
    assert not {"nod", "look_behind", "style"} & set(first.tasks)


def test_weights_file_requires_task_name(tmp_path: Path) -> None:
    np.savez(tmp_path / "mine.npz", allow_pickle=False, **dict(weights(4, 1)))
    assert set(contender(str(tmp_path / "mine.npz"), "shake").tasks) == {"shake"}
    with pytest.raises(AgentError) as refused:
        contender(str(tmp_path / "mine.npz"))
    assert refused.value.code is ErrorCode.NOT_FOUND


def test_rejects_policy_that_cannot_be_evaluated(tmp_path: Path) -> None:
    store = PolicyStore(tmp_path / "store")
    store.save(PolicyRecord("look_at_object", 0, "coach", 0.0), {"cloud": np.zeros(3)})
    store.save(PolicyRecord("nod", 0, "bc", 0.0), weights(8, 2))
    (tmp_path / "broken.npz").write_bytes(b"nothing")
    cases = {
        "look_at_object": ErrorCode.INVALID_GOAL,
        "nod": ErrorCode.POLICY_REJECTED,
        "nod@7": ErrorCode.NOT_FOUND,
        "nod@new": ErrorCode.NOT_FOUND,
        "wink": ErrorCode.NOT_FOUND,
        str(tmp_path / "broken.npz"): ErrorCode.POLICY_REJECTED,
        str(tmp_path / "missing.npz"): ErrorCode.NOT_FOUND,
    }
    for name, code in cases.items():
        with pytest.raises(AgentError) as refused:
            contender(name, "nod", store)
        assert refused.value.code is code, name
