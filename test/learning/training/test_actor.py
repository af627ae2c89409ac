from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.training.actor import Actor
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape


@pytest.mark.parametrize("squashed", [False, True])
def test_exported_actor_matches_policy_network(squashed: bool) -> None:
    torch.manual_seed(0)
    network = PolicyNetwork(Shape(4, 2, (8, 8)), squashed)
    rows = np.random.default_rng(0).normal(size=(20, 4)).astype(np.float32)
    network.standardize(rows)
    wanted = network(torch.as_tensor(rows)).detach().clamp(-1, 1).numpy()
    actor = network.actor()
    np.testing.assert_allclose([actor.action(row) for row in rows], wanted, atol=1e-5)


@pytest.mark.parametrize(
    "broken", [{"bias1": np.zeros(3)}, {"weight0": np.zeros((8, 5))}, {"scale": np.full(4, np.nan)}]
)
def test_actor_rejects_inconsistent_or_non_finite_weights(broken: dict[str, np.ndarray]) -> None:
    weights = PolicyNetwork(Shape(4, 2, (8, 8))).weights()
    with pytest.raises(AgentError):
        Actor({**weights, **broken})


def test_error_for_actor_weights_names_missing_array() -> None:
    with pytest.raises(AgentError, match="missing array 'mean'"):
        Actor({})


def test_actor_rejects_observation_of_wrong_size() -> None:
    with pytest.raises(AgentError, match="shape \\(3,\\): expected \\(4,\\)"):
        PolicyNetwork(Shape(4, 2)).actor().action(np.zeros(3, np.float32))


def test_actor_imports_no_training_library() -> None:
    program = (
        "import sys\nimport numpy as np\nfrom reachy_agent_ros.learning.training.actor import Actor\n"
        "one = np.ones(1)\n"
        "actor = Actor({'mean': one, 'scale': one, 'weight0': np.ones((1, 1)), 'bias0': one})\n"
        "print(actor.action(one), {'torch', 'gymnasium'} & set(sys.modules))"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout == "[1.] set()\n"
