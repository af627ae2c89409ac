"""Which of the acts that a judgement may be about learns from it."""

from __future__ import annotations

from collections.abc import Sequence

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.act import Act
from reachy_agent_ros.learning.correction.skills import SKILLS
from reachy_agent_ros.learning.correction.skills.talk import TALK
from reachy_agent_ros.learning.score import Score


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


def _concerns(score: Score, act: Act) -> bool:
    return any(SKILLS[act.skill].direction(axis).any() for axis in score.axes)
