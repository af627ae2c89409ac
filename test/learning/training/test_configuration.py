"""Selection of training devices.

PyTorch's "meta" device replaces a GPU, because both reject tensors on other devices.
"""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.configuration import device
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode
from reachy_agent_ros.learning.training.gail import AdversarialImitation, Discriminator
from reachy_agent_ros.learning.training.policy_network import PolicyNetwork, Shape
from reachy_agent_ros.learning.training.preference import Fragment, PreferenceModel, PreferencePair
from support.cases import mostly_nightly

OBSERVATIONS, ACTIONS = np.zeros((5, 3), np.float32), np.zeros((4, 2), np.float32)


class Played:
    """Stub of a policy learner, which returns fixed episodes."""

    def advance(self) -> dict[str, float]:
        return {}

    def played(self) -> tuple[Entries, Entries]:
        return OBSERVATIONS[None, :4], ACTIONS[None]


def imitate(start: PolicyNetwork) -> torch.nn.Module:
    discriminator = Discriminator(start).to("meta")
    discriminator.judge(OBSERVATIONS[0], ACTIONS[0])
    AdversarialImitation(Played(), discriminator, [DemonstrationEpisode(OBSERVATIONS, ACTIONS)], 0).advance()
    return discriminator


def compare(start: PolicyNetwork) -> torch.nn.Module:
    model, shown = PreferenceModel(start).to("meta"), Fragment(OBSERVATIONS[:4], ACTIONS)
    model.judge(OBSERVATIONS[0], ACTIONS[0])
    model.fit([PreferencePair(shown, shown, 1.0)])
    return model


@pytest.mark.slow
@pytest.mark.parametrize("learn", mostly_nightly([compare, imitate]))
def test_learned_reward_model_stays_on_requested_device(
    monkeypatch: pytest.MonkeyPatch, learn: Callable[[PolicyNetwork], torch.nn.Module]
) -> None:
    for conversion, value in (("__float__", 1.0), ("__bool__", True), ("item", 1.0)):
        monkeypatch.setattr(torch.Tensor, conversion, lambda _, value=value: value)  # "meta" tensors have no values
    judge = learn(PolicyNetwork(Shape(3, 2)))
    assert {each.device.type for each in judge.parameters()} == {"meta"}


@pytest.mark.parametrize(
    ("there", "played", "found"), [(True, False, "cuda"), (True, True, "cpu"), (False, False, "cpu")]
)
def test_gpu_is_selected_only_if_available_and_useful(
    monkeypatch: pytest.MonkeyPatch, there: bool, played: bool, found: str
) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: there)
    assert device(played=played) == found
