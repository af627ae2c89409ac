"""Reference resolution of a correction: which act is meant, and whose left and right.

The rule: left and right are the robot's own, because they are in a command too ("look left" turns to its left), and a
correction that meant the opposite of a command in the same words would confuse everybody. A person who sits across and
speaks as they see it says so once; their words are then mirrored. What is up, fast or loud is so for everybody.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from enum import StrEnum

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.correction.skills import SKILLS
from reachy_agent_ros.learning.correction.skills.distance import TALK
from reachy_agent_ros.learning.score import Axis, Score

_MIRRORED = {
    Axis.YAW_LEFT: Axis.YAW_RIGHT,
    Axis.YAW_RIGHT: Axis.YAW_LEFT,
    Axis.ROLL_LEFT: Axis.ROLL_RIGHT,
    Axis.ROLL_RIGHT: Axis.ROLL_LEFT,
}


class Viewpoint(StrEnum):
    """From where a person names left and right."""

    ROBOT = "robot"
    """As the robot would."""
    ACROSS = "across"
    """As somebody who faces it."""


def subject(score: Score, acts: Sequence[Act]) -> Act:
    """The act that is meant.

    Words that say what to change are about a skill that can change it: "too far down", said while the robot tells what
    it sees, is about how it looked. Words that say only how good it was are about what was done, not about the voice
    that told of it, and above all not about how loud the voice was; unless nothing but talking was done.

    Args:
        score: Of what was said.
        acts: Those that it may be about, the likeliest first.

    Raises:
        AgentError: `NO_DATA`: none of them is of a skill that can learn from it.
    """
    if score.stop:
        raise AgentError(ErrorCode.NO_DATA, "A stop says nothing about how it was done.")
    named = [act for act in acts if can_learn(act) and _concerns(score, act)]
    if named:
        return named[0]
    done = [act for act in acts if act.skill != TALK.name] or acts
    if not done:
        raise AgentError(ErrorCode.NO_DATA, "Nobody knows any more what was judged.")
    if not can_learn(done[0]):
        raise AgentError(ErrorCode.NO_DATA, f"Nothing decides how {done[0].skill} is done that could learn.")
    return done[0]


def can_learn(act: Act) -> bool:
    """Whether a policy that people correct decided it; a tool may bear the same name."""
    return act.skill in SKILLS and bool(act.policy_version)


def as_the_robot_sees(score: Score, viewpoint: Viewpoint) -> Score:
    """The same judgement with left and right as the robot names them."""
    if viewpoint is Viewpoint.ROBOT:
        return score
    return replace(score, axes=tuple(_MIRRORED.get(axis, axis) for axis in score.axes))


def _concerns(score: Score, act: Act) -> bool:
    return any(SKILLS[act.skill].direction(axis).any() for axis in score.axes)
