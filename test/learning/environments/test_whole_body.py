from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.environments.channel import Channel
from reachy_agent_ros.learning.environments.registry import make
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.learning.environments.whole_body import CHANNELS, WholeBody


def wrapped(name: str) -> WholeBody:
    environment = make(name)
    assert isinstance(environment, TrackingEnvironment)
    return WholeBody(environment)


@pytest.mark.parametrize("name", ["look_at", "nod", "curtsey", "look_behind", "look_at_biased", "antenna_gesture"])
def test_every_tracking_task_has_the_same_layout(name: str) -> None:
    environment = wrapped(name)
    observation, _ = environment.reset(seed=1)
    assert observation.shape == (len(CHANNELS) * len(BLOCKS),)
    assert environment.observation_space.contains(observation)
    assert environment.action_space.shape == (len(CHANNELS),)


def test_channels_are_shown_and_moved_at_their_own_place() -> None:
    environment, narrow = wrapped("curtsey"), make("curtsey")
    environment.reset(seed=1)
    narrow.reset(seed=1)
    action = np.linspace(-0.5, 0.5, len(CHANNELS), dtype=np.float32)
    places = [CHANNELS.index(Channel.Z), CHANNELS.index(Channel.PITCH)]
    observation, *_ = environment.step(action)
    expected, *_ = narrow.step(action[places])
    blocks = observation.reshape(len(BLOCKS), len(CHANNELS))
    assert blocks[:, places].ravel().tolist() == expected.tolist()
    assert not np.delete(blocks, places, axis=1).any()


def test_an_action_of_another_layout_is_refused() -> None:
    environment = wrapped("nod")
    environment.reset(seed=1)
    with pytest.raises(AgentError):
        environment.step(np.zeros(1, np.float32))
