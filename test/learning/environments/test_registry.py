from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.environments.registry import (
    NOVEL_TASKS,
    TASKS,
    expert_for,
    gymnasium_id,
    make,
    register,
)
from reachy_agent_ros.learning.environments.specification import Split

ALL = {**TASKS, **NOVEL_TASKS}


@pytest.mark.filterwarnings("ignore:.*For Box action spaces.*", "ignore:.*is not within the observation space.*")
@pytest.mark.parametrize("name", ALL)
def test_every_task_passes_gymnasium_environment_checker(name: str) -> None:
    register()
    environment = gymnasium.make(gymnasium_id(name))
    check_env(environment.unwrapped, skip_render_check=True)


def test_registry_has_ten_training_and_six_held_out_tasks() -> None:
    assert len(TASKS) >= 10
    assert len(NOVEL_TASKS) >= 6
    assert not any(task.novel for task in TASKS.values())
    assert all(task.novel for task in NOVEL_TASKS.values())
    assert not TASKS.keys() & NOVEL_TASKS.keys()


def test_registering_tasks_twice_has_no_effect() -> None:
    register()
    register()
    assert gymnasium_id("look_at") == "reachy_agent/LookAt-v0"
    assert "reachy_agent/LookAt-v0" in gymnasium.registry


@pytest.mark.parametrize("name", ALL)
def test_held_out_parameter_ranges_do_not_overlap_training_ranges(name: str) -> None:
    for parameter in ALL[name].parameters:
        (low, high), (test_low, test_high) = parameter.training, parameter.test
        assert low < high
        assert test_low < test_high
        assert test_low >= high or test_high <= low, parameter


@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize("name", ALL)
def test_reset_draws_task_parameters_from_requested_range(name: str, split: Split) -> None:
    environment = make(name, split=split)
    for seed in range(5):
        _, info = environment.reset(seed=seed)
        for parameter in ALL[name].parameters:
            low, high = getattr(parameter, split)
            assert low <= info["parameters"][parameter.name] <= high


@pytest.mark.parametrize("name", ALL)
def test_environment_spaces_match_specification(name: str) -> None:
    environment = make(name)
    assert environment.observation_space.shape == (len(ALL[name].observation),)
    assert environment.action_space.shape == (len(ALL[name].action),)
    observation, _ = environment.reset(seed=1)
    assert expert_for(name).action(observation).dtype == np.float32


def test_reset_keeps_fixed_task_parameter() -> None:
    environment = make("look_at", distance=1.0)
    assert [environment.reset(seed=seed)[1]["parameters"]["distance"] for seed in range(3)] == [1.0] * 3


def test_fixing_one_task_parameter_does_not_change_other_parameters() -> None:
    _, drawn = make("look_at").reset(seed=3)
    _, fixed = make("look_at", azimuth=0.1).reset(seed=3)
    assert fixed["parameters"] == {**drawn["parameters"], "azimuth": 0.1}


@pytest.mark.parametrize("call", [lambda: make("fly"), lambda: expert_for("fly")])
def test_rejects_unknown_task(call: object) -> None:
    assert callable(call)
    with pytest.raises(AgentError) as raised:
        call()
    assert raised.value.code is ErrorCode.NOT_FOUND
    assert "look_at" in raised.value.message


def test_rejects_unknown_task_parameter() -> None:
    with pytest.raises(AgentError) as raised:
        make("look_at", altitude=1.0)
    assert raised.value.code is ErrorCode.INVALID_GOAL
    assert "azimuth" in raised.value.message


@pytest.mark.parametrize("value", [2.0, -2.0, float("nan"), float("inf")])
def test_rejects_task_parameter_outside_range(value: float) -> None:
    with pytest.raises(AgentError) as raised:
        make("look_at", azimuth=value)
    assert raised.value.code is ErrorCode.INVALID_GOAL


def test_accepts_only_known_names_of_parameter_split() -> None:
    register()
    environment = gymnasium.make("reachy_agent/LookAt-v0", split="test")
    assert environment.reset(seed=0)[1]["parameters"]["azimuth"] >= 0.5
    with pytest.raises(AgentError) as raised:
        gymnasium.make("reachy_agent/LookAt-v0", split="both")
    assert raised.value.code is ErrorCode.INVALID_GOAL
