"""Learning off-policy which advice is better than none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.advisor.advice_policy import AdvicePolicy
from reachy_agent_ros.learning.advisor.choice import Choice
from reachy_agent_ros.learning.advisor.off_policy import LARGEST_WEIGHT, checked_ratings
from reachy_agent_ros.learning.advisor.rating_model import (
    RatingModel,
    advice_features,
    names_of,
    policy_of,
    priors,
    ridge,
)


def learned(choices: Sequence[Choice], ratings: Vector) -> tuple[AdvicePolicy, RatingModel]:
    """The policy that logged choices teach, and the rating model that it was made with.

    Every choice tells of all its options: what the model expects, and for the one that was advised what the rating adds
    to that, by its importance (Dudík, Langford and Li, 2011). The difference to no advice is then a regression.

    Args:
        choices: Logged, by whichever policies.
        ratings: -1..1, one a choice.

    Raises:
        AgentError: As `checked_ratings`.
    """
    rewards = checked_ratings(choices, ratings)
    model = RatingModel.fitted(choices, rewards)
    names = names_of(choices)
    rows, values = [], []
    for choice, rating in zip(choices, rewards, strict=True):
        options = model.ratings(choice.situation)
        options[choice.index] += min(1.0 / choice.probability, LARGEST_WEIGHT) * (rating - options[choice.index])
        rows += [advice_features(choice.situation, tool, names) for tool in choice.situation.tools]
        values += list(options[1:] - options[0])
    if not rows:
        return policy_of(np.zeros(len(priors(0))), []), model
    return policy_of(ridge(np.array(rows), np.array(values), priors(len(names))), names), model
