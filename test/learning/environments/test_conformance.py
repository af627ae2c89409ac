from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.learning.environments.conformance import Wild, objections, play
from reachy_agent_ros.learning.environments.randomization import USUAL
from reachy_agent_ros.learning.environments.registry import NOVEL_TASKS, TASKS, Environment, expert_for, make
from reachy_agent_ros.learning.environments.spaces import Entries, Info
from reachy_agent_ros.learning.environments.specification import Split
from reachy_agent_ros.learning.environments.tracking_environment import TrackingEnvironment
from reachy_agent_ros.simulation.mujoco_dynamics import MujocoDynamics
from support.cases import mostly_nightly

ALL = {**TASKS, **NOVEL_TASKS}
MOVING = [name for name in ALL if name not in ("style", "tool_choice")]


@pytest.mark.parametrize("split", Split)
@pytest.mark.parametrize("name", ALL)
def test_every_kinematic_environment_passes_conformance_check(name: str, split: Split) -> None:
    assert objections(make(name, split=split), expert_for(name), ALL[name].length, range(20)) == ()


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_nightly(MOVING))
def test_every_physical_environment_passes_conformance_check(name: str, physics: MujocoDynamics) -> None:
    environment = make(name, body=physics)
    assert objections(environment, expert_for(name), ALL[name].length, [0]) == ()
    watch = physics.watch
    assert watch is not None
    assert (watch.violations, watch.jumps) == (0, 0)


@pytest.mark.parametrize("name", MOVING)
def test_randomized_environment_passes_conformance_check_except_for_expert(name: str) -> None:
    environment = make(name, randomization=USUAL)
    found = objections(environment, expert_for(name), ALL[name].length, range(3))
    assert [each for each in found if "expert" not in each] == []


class Leaky(TrackingEnvironment):
    """Defective environment that does not reset its set points."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Entries, Info]:
        points = getattr(self, "_points", None)
        result = super().reset(seed=seed, options=options)
        self._points = points or self._points
        return result


class Endless(TrackingEnvironment):
    """Defective environment whose episodes never end and never succeed."""

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        observation, reward, *_, info = super().step(action)
        return observation, reward, False, False, {**info, "success": False}


class Careless(TrackingEnvironment):
    """Defective environment that accepts any action and returns observations outside the observation space."""

    def step(self, action: Entries) -> tuple[Entries, float, bool, bool, Info]:
        observation, reward, *rest, info = super().step(np.zeros(self.action_space.shape or (0,), np.float32))
        return 100.0 * observation, reward, *rest, {**info, "cost": 1}


@pytest.mark.parametrize(
    ("broken", "complaint"),
    [
        (Leaky, "different results the second time"),
        (Endless, "did not end"),
        (Endless, "the expert failed"),
        (Careless, "outside its space"),
        (Careless, "was accepted"),
        (Careless, "of the right types"),
        (Careless, "actions cost"),
    ],
)
def test_conformance_check_reports_defect_of_broken_environment(
    broken: type[TrackingEnvironment], complaint: str
) -> None:
    sound = make("look_at")
    assert isinstance(sound, TrackingEnvironment)
    environment: Environment = broken(sound.task, sound.body, Split.TRAINING, {})
    found = objections(environment, expert_for("look_at"), ALL["look_at"].length, [0])
    assert any(complaint in each for each in found), found


@pytest.mark.parametrize("name", MOVING)
def test_random_policy_fails_in_every_task(name: str) -> None:
    environment = make(name)
    wild = Wild(environment, 0)
    assert not any(play(environment, wild, seed, ALL[name].length).success for seed in range(10))


@pytest.mark.parametrize("name", MOVING)
def test_policy_that_does_not_move_robot_fails_in_most_episodes(name: str) -> None:
    class Still:
        def action(self, observation: Entries) -> Entries:
            return np.zeros(environment.action_space.shape or (0,), np.float32)

    environment = make(name)
    succeeded = [play(environment, Still(), seed, ALL[name].length).success for seed in range(50)]
    assert sum(succeeded) <= 5  # succeeds if the point is straight ahead
