"""Learning from directions: "too far down" shifts what is wanted up, by as much as is still uncertain.

COACH, corrective advice communicated by humans (Celemin and Ruiz-del-Solar, "An interactive framework for learning
continuous actions policies based on corrective feedback", Journal of Intelligent and Robotic Systems, 2019): a word
names the sign of the error in the space of actions, and the weights of a linear policy take a step. As in its Gaussian
variant (Wout et al., "Learning Gaussian policies from corrective human feedback", 2019, arXiv:1903.05216) the step is
as long as the policy is uncertain there, so that it begins bold and ends fine, and people who contradict one another
lead it to the middle. Here the word is an observation, wrong at times, of what is missing; praise, half praise and a
plain "no" are observations of how much is missing. All of them weigh the particles of a belief.
"""

from __future__ import annotations

import numpy as np

from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.correction.belief import Belief
from reachy_agent_ros.learning.score import Score, Sign

_HUMAN_RELIABILITY = 0.9
"""One sentence in ten is about something else, or wrong, however well it was understood."""

_OTHERWISE = 0.35
"""How likely any sentence is where it means nothing."""

_PERFECT, _PASSABLE = 0.5, 1.0
"""Error, in steps, until which people are happy, and until which they let it pass."""

_PRAISE = 0.6
"""Rating from which it is praise, and not "nearly"."""

_NOTICED, _NEARLY = 0.4, 0.1
"""Error of one parameter, in steps, that people complain of, and that they add to praise."""

_PETTY = 0.3
"""How likely a complaint is about what others would be happy with, compared with one about what is off."""

_BLUR = 0.25
"""Standard deviation of all these limits, in steps, noise of the eye included."""


def taught(
    belief: Belief, features: Vector, done: Vector, score: Score, directions: list[Vector], rng: np.random.Generator
) -> Belief:
    """The belief after a judgement.

    Args:
        belief: Before.
        features: Of the context.
        done: Offset that was executed, in steps.
        score: Of what was said.
        directions: What each of its axes asks of the parameters: 1, -1 or 0 each.
        rng: Source of chance.
    """
    missing = belief.offsets(features) - done
    error = np.linalg.norm(missing, axis=1)
    likelihood = _praised(error, score) if score.sign is Sign.POSITIVE else _criticised(error, bool(directions))
    least = _NEARLY if score.sign is Sign.POSITIVE else _NOTICED
    for direction in directions:
        likelihood = likelihood * _above(missing @ direction, least)
    trust = _HUMAN_RELIABILITY * score.confidence
    return belief.after(np.log((1.0 - trust) * _OTHERWISE + trust * likelihood), rng)


def _praised(error: Vector, score: Score) -> Vector:
    happy = 1.0 - _above(error, _PERFECT)
    if score.rating >= _PRAISE:
        return happy
    return np.asarray(1.0 - _above(error, _PASSABLE) - happy).clip(0.0)


def _criticised(error: Vector, precisely: bool) -> Vector:
    if precisely:
        return np.asarray(np.where(error > _PERFECT, 1.0, _PETTY))
    return _above(error, _PASSABLE)


def _above(error: Vector, limit: float) -> Vector:
    """How likely people find an error above a limit: the logistic function, near the normal distribution's."""
    return np.asarray(0.5 + 0.5 * np.tanh(0.85 * (error - limit) / _BLUR))
