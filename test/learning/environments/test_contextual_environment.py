from __future__ import annotations

import numpy as np
import pytest

from reachy_agent_ros.learning.environments.contextual_tasks import TOOL_CHOICE, TOOLS
from reachy_agent_ros.learning.environments.registry import expert_for, make


@pytest.mark.parametrize("name", ["style", "tool_choice"])
def test_contextual_episode_has_one_step(name: str) -> None:
    environment = make(name)
    observation, _ = environment.reset(seed=2)
    _, reward, terminated, truncated, info = environment.step(expert_for(name).action(observation))
    assert (terminated, truncated) == (True, False)
    assert reward == pytest.approx(1.0)
    assert info["success"]


def test_tool_choice_action_selects_tool_with_highest_score() -> None:
    context = [0.2, 0.9, 0.1, 0.1, 0.1, *[0.0] * len(TOOLS)]
    assert TOOL_CHOICE.error(context, [0.1, 0.2, 0.0, 0.0, 0.0]) == 0.0
    assert TOOL_CHOICE.error(context, [0.3, 0.2, 0.0, 0.0, 0.0]) == pytest.approx(0.7)


def test_tool_that_always_fails_is_never_best_choice() -> None:
    context = [0.8, 0.9, 0.1, 0.1, 0.1, 0.0, 1.0, 0.0, 0.0, 0.0]
    assert TOOL_CHOICE.best(context).index(1.0) == 0


def test_action_outside_range_has_cost() -> None:
    environment = make("style")
    environment.reset(seed=0)
    *_, info = environment.step(np.full(3, 2.0, np.float32))
    assert info["cost"] == 1.0


def test_joint_task_succeeds_only_if_both_parts_succeed() -> None:
    environment, expert = make("look_and_style"), expert_for("look_and_style")
    observation, _ = environment.reset(seed=0)
    ended = False
    while not ended:
        action = expert.action(observation)
        action[2:] = -action[2:]
        observation, _, _, ended, info = environment.step(action)
    assert not info["success"]
