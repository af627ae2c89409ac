"""Learning from directions: "too far down" shifts what is wanted up, by as much as is still uncertain.

COACH, corrective advice communicated by humans (Celemin and Ruiz-del-Solar, "An interactive framework for learning
continuous actions policies based on corrective feedback", Journal of Intelligent and Robotic Systems, 2019): a word
names the sign of the error in the space of actions, and the weights of a linear policy take a step. As in its Gaussian
variant (Wout et al., "Learning Gaussian policies from corrective human feedback", 2019, arXiv:1903.05216) the step is
as long as the policy is uncertain there, so that it begins bold and ends fine, and people who contradict one another
lead it to the middle. The word is an observation of the sign with a rate of false ones; the posterior is matched by its
first two moments (assumed-density filtering: Minka, "A family of algorithms for approximate Bayesian inference", 2001).

Praise says that what was done was near what is wanted, and a plain "no" that it was not: the same filter, with another
likelihood.
"""

from __future__ import annotations

import math

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.learning.correction.belief import Belief
from reachy_agent_ros.learning.score import Score, Sign

_HUMAN_RELIABILITY = 0.9
"""One sentence in ten is about something else, or wrong, however well it was understood."""

_NOTICED, _NEARLY = 0.4, 0.1
"""Least error, in steps, that somebody complains of, and that they add to praise."""

_BLUR = 0.3
"""Standard deviation, in steps, of that limit, noise of the eye included."""

_TIGHT, _LOOSE = 0.35, 0.35
"""Error, in steps, at a rating of 1; and how much it grows until a rating of 0."""

_WRONG = 0.75
"""Error, in steps, from which a plain "no" is about as likely as not."""

_CHANCE = 0.4
"""How likely praise is by mistake, compared with the likeliest praise."""


def taught(belief: Belief, features: Vector, done: Vector, score: Score, directions: list[Vector]) -> Belief:
    """The belief after a judgement.

    Args:
        belief: Before.
        features: Of the context.
        done: Offset that was executed, in steps.
        score: Of what was said.
        directions: What each of its axes asks of the parameters: 1, -1 or 0 each.
    """
    belief = belief.loosened(len(features))
    trust = _HUMAN_RELIABILITY * score.confidence
    mean, spread = belief.wanted(features)
    missing = mean - done
    if score.sign is Sign.POSITIVE:
        radius = _TIGHT + _LOOSE * (1.0 - score.rating)
        missing, spread = _near(missing, spread, radius, (1.0 - trust) * _CHANCE, trust)
    elif score.sign is Sign.NEGATIVE and not directions:
        missing, spread = _near(missing, spread, _WRONG, 1.0, -trust)
    least = _NEARLY if score.sign is Sign.POSITIVE else _NOTICED
    for direction in directions:
        for index in np.flatnonzero(direction):
            missing, spread = _beyond(missing, spread, int(index), float(direction[index]), least, trust)
    return belief.after(features, missing + done, spread)


def _near(mean: Vector, spread: Matrix, radius: float, flat: float, peak: float) -> tuple[Vector, Matrix]:
    """Moments after a likelihood of `flat + peak * exp(-|missing|^2 / (2 radius^2))`; the peak may be a dip."""
    widened = spread + radius**2 * np.eye(len(mean))
    density = math.sqrt(radius ** (2 * len(mean)) / np.linalg.det(widened))
    weight = peak * density * math.exp(-0.5 * float(mean @ np.linalg.solve(widened, mean)))
    gain = np.linalg.solve(widened, spread).T
    near, narrow = mean - gain @ mean, spread - gain @ spread
    shares = np.array([flat, weight]) / (flat + weight)
    middle = shares[0] * mean + shares[1] * near
    second = shares[0] * (spread + np.outer(mean, mean)) + shares[1] * (narrow + np.outer(near, near))
    return middle, second - np.outer(middle, middle)


def _beyond(mean: Vector, spread: Matrix, index: int, sign: float, least: float, trust: float) -> tuple[Vector, Matrix]:
    """Moments after one of the parameters was said to lack more than `least`, in the direction of `sign`."""
    variance = float(spread[index, index])
    width = math.sqrt(variance + _BLUR**2)
    score = (sign * float(mean[index]) - least) / width
    likelihood = (1.0 - trust) / 2.0 + trust * 0.5 * math.erfc(-score / math.sqrt(2.0))
    slope = trust * math.exp(-0.5 * score**2) / math.sqrt(2.0 * math.pi) / (width * likelihood)
    bend = slope * (slope + score / width)
    column = spread[:, index]
    return mean + sign * slope * column, spread - bend * np.outer(column, column)
