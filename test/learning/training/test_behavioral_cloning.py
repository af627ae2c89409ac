import numpy as np

from reachy_agent_ros.learning.environments.spaces import Entries
from reachy_agent_ros.learning.training.behavioral_cloning import Mixture


class Always:
    def __init__(self, value: float) -> None:
        self.value = value

    def action(self, observation: Entries) -> Entries:
        return np.array([self.value], np.float32)


EXPERT, LEARNER = Always(1.0), Always(0.0)
OBSERVATIONS = [np.array([step], np.float32) for step in range(200)]


def test_mixture_beta_is_fraction_of_expert_steps() -> None:
    mixture = Mixture(EXPERT, LEARNER, 0.3, np.random.default_rng(0))
    done = [mixture.action(each)[0] for each in OBSERVATIONS]
    assert 0.2 < np.mean(done) < 0.4
    assert np.all(np.array(mixture.actions) == 1.0)
    assert len(mixture.actions) == len(OBSERVATIONS)


def test_gated_mixture_records_only_expert_steps() -> None:
    mixture = Mixture(EXPERT, LEARNER, 0.0, np.random.default_rng(0), gate=lambda seen, _: seen[0] >= 150)
    done = [mixture.action(each)[0] for each in OBSERVATIONS]
    assert sum(done) == 50
    assert [each[0] for each in mixture.observations] == list(range(150, 200))
