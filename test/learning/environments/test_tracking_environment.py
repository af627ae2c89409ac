from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.registry import make
from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.environments.specification import PostureChannel
from reachy_agent_ros.learning.environments.tracking_environment import CHANNELS, TrackingEnvironment, WholeBody
from reachy_agent_ros.learning.environments.tracking_task import BLOCKS
from reachy_agent_ros.robot.pose_limits import HIGH


def tried(name: str, **parameters: float) -> TrackingEnvironment:
    environment = make(name, **parameters)
    assert isinstance(environment, TrackingEnvironment)
    environment.reset(seed=0)
    return environment


def entries(*values: float) -> Entries:
    return np.array(values, dtype=np.float32)


def test_environment_limits_speed_of_set_points() -> None:
    environment = tried("nod")
    observation, *_ = environment.step(entries(1.0))
    assert observation[1] == pytest.approx(PostureChannel.PITCH.stride)


def test_set_point_outside_envelope_is_clipped_and_has_cost() -> None:
    environment = tried("nod")
    costs, points = [], []
    for _ in range(8):
        observation, *_, info = environment.step(entries(1.0))
        costs.append(info["cost"])
        points.append(observation[1])
    assert costs[0] == 0.0
    assert costs[-1] == 1.0
    assert max(points) <= HIGH[PostureChannel.PITCH] + 1e-6
    *_, info = environment.step(entries(-1.0))
    assert info["cost"] == 0.0


def test_action_outside_action_space_is_clipped_and_has_cost() -> None:
    environment = tried("nod")
    observation, *_, info = environment.step(entries(5.0))
    assert info["cost"] == 1.0
    assert observation[1] == pytest.approx(PostureChannel.PITCH.stride)


def test_head_keeps_direction_while_body_turns() -> None:
    environment = tried("body_yaw_turn")
    for _ in range(3):
        environment.step(entries(0.0, 0.5))
    for _ in range(12):
        observation, *_ = environment.step(entries(0.0, 0.0))
    yaw, body = observation[:2]
    assert body > 0.1
    assert abs(yaw) < 0.1 * body + 0.01


def test_body_turn_beyond_neck_limit_has_cost() -> None:
    environment = tried("body_yaw_turn")
    assert sum(environment.step(entries(0.0, 1.0))[-1]["cost"] for _ in range(12)) > 0.0


@pytest.mark.parametrize(
    ("action", "code"),
    [
        (entries(np.nan), ErrorCode.NOT_FINITE),
        (entries(np.inf), ErrorCode.NOT_FINITE),
        (entries(0, 0), ErrorCode.INVALID_GOAL),
    ],
)
def test_environment_rejects_invalid_action(action: Entries, code: ErrorCode) -> None:
    with pytest.raises(AgentError) as raised:
        tried("nod").step(action)
    assert raised.value.code is code


def test_biased_task_shifts_observed_target_and_appends_feedback() -> None:
    environment = tried("look_at_biased", azimuth=0.3, elevation=-0.2, bias_pitch=-0.2, bias_yaw=0.1)
    observation, _ = environment.reset(seed=0)
    sound, _ = make("look_at", azimuth=0.3, elevation=-0.2).reset(seed=0)
    assert observation[4:6] - sound[4:6] == pytest.approx([-0.2, 0.1], abs=0.02)
    assert observation[8:].tolist() == [1.0, 1.0]


def test_environment_reports_success_only_at_last_step() -> None:
    environment = tried("look_at", azimuth=0.0, elevation=-0.05, distance=1.0)
    told = []
    ended = False
    while not ended:
        *_, ended, info = environment.step(entries(0.0, 0.0))
        told.append(info["success"])
    assert not any(told[:-1])


@pytest.mark.nightly
def test_environment_renders_only_in_rgb_array_mode() -> None:
    assert tried("nod").render() is None
    environment = make("look_at", render_mode="rgb_array")
    environment.reset(seed=0)
    straight = environment.render()
    for _ in range(10):
        environment.step(entries(0.0, 0.5))
    turned = environment.render()
    environment.close()
    assert isinstance(straight, np.ndarray)
    assert isinstance(turned, np.ndarray)
    assert straight.shape == (240, 320, 3)
    assert np.abs(straight.astype(int) - turned).max() > 50


def wrapped(name: str) -> WholeBody:
    environment = make(name)
    assert isinstance(environment, TrackingEnvironment)
    return WholeBody(environment)


@pytest.mark.parametrize("name", ["look_at", "nod", "curtsey", "look_behind", "look_at_biased", "antenna_gesture"])
def test_whole_body_wrapper_supports_every_tracking_task(name: str) -> None:
    environment = wrapped(name)
    observation, _ = environment.reset(seed=1)
    assert observation.shape == (len(CHANNELS) * len(BLOCKS),)
    assert environment.observation_space.contains(observation)
    assert environment.action_space.shape == (len(CHANNELS),)


def test_whole_body_wrapper_maps_task_channels_to_whole_body_indices() -> None:
    environment, narrow = wrapped("curtsey"), make("curtsey")
    environment.reset(seed=1)
    narrow.reset(seed=1)
    action = np.linspace(-0.5, 0.5, len(CHANNELS), dtype=np.float32)
    places = [CHANNELS.index(PostureChannel.Z), CHANNELS.index(PostureChannel.PITCH)]
    observation, *_ = environment.step(action)
    expected, *_ = narrow.step(action[places])
    blocks = observation.reshape(len(BLOCKS), len(CHANNELS))
    assert blocks[:, places].ravel().tolist() == expected.tolist()
    assert not np.delete(blocks, places, axis=1).any()


def test_whole_body_wrapper_rejects_action_of_wrong_size() -> None:
    environment = wrapped("nod")
    environment.reset(seed=1)
    with pytest.raises(AgentError):
        environment.step(np.zeros(1, np.float32))
