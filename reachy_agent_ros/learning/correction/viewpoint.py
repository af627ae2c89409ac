"""Whose left is meant.

The rule: left and right are the robot's own, because they are in a command too ("look left" turns to its left), and a
correction that meant the opposite of a command in the same words would confuse everybody. A person who sits across and
speaks as they see it says so once; their words are then mirrored. What is up, fast or loud is so for everybody.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from reachy_agent_ros.learning.axis import Axis
from reachy_agent_ros.learning.score import Score


class Viewpoint(StrEnum):
    """From where a person names left and right."""

    ROBOT = "robot"
    """As the robot would."""
    ACROSS = "across"
    """As somebody who faces it."""


_MIRRORED = {
    Axis.YAW_LEFT: Axis.YAW_RIGHT,
    Axis.YAW_RIGHT: Axis.YAW_LEFT,
    Axis.ROLL_LEFT: Axis.ROLL_RIGHT,
    Axis.ROLL_RIGHT: Axis.ROLL_LEFT,
}


def as_the_robot_sees(score: Score, viewpoint: Viewpoint) -> Score:
    """The same judgement with left and right as the robot names them."""
    if viewpoint is Viewpoint.ROBOT:
        return score
    return replace(score, axes=tuple(_MIRRORED.get(axis, axis) for axis in score.axes))
