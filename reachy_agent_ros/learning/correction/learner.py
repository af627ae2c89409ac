"""The learner of corrections: decides how each skill is done, and learns from what people say of it.

It resolves the reference of a correction first: which act is meant, and whose left and right. The rule: left and right
are the robot's own, because they are in a command too ("look left" turns to its left), and a correction that meant the
opposite of a command in the same words would confuse everybody. A person who sits across and speaks as they see it says
so once; their words are then mirrored. What is up, fast or loud is so for everybody.
"""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.action_record import ActionRecord
from reachy_agent_ros.learning.correction.policy import CorrectionPolicy
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.correction.skills import SKILLS, TALK, Skill, Values
from reachy_agent_ros.learning.score import Axis, Score

ALGORITHM = "coach"

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


@dataclass(frozen=True)
class PolicyUpdate:
    """What became of a judgement.

    Attributes:
        version: The one that acts from now on.
        learnt: Whether that is another one than before.
        reason: Why, or why not, in one sentence.
    """

    version: int
    learnt: bool
    reason: str


class OnlineLearner:
    """Acts with the version that the store says acts, and makes a new one of every judgement. Any thread may use it.

    A roll back or a pin in the store, by this process or another, takes effect at the next act.

    Args:
        skill: What is done.
        store: Where its versions are; the untaught one is put there if there is none.
        viewpoint: Whose left the person means.
        seed: Of the chance in what is tried; None for another one each time.

    Raises:
        AgentError: `STORAGE_FAILED`, here and from both methods; `POLICY_REJECTED`: the version that acts is of a
            skill of the same name with other parameters.
    """

    def __init__(
        self, skill: Skill, store: PolicyStore, viewpoint: Viewpoint = Viewpoint.ROBOT, seed: int | None = None
    ) -> None:
        self._skill = skill
        self._store = store
        self._viewpoint = viewpoint
        self._rng = np.random.default_rng(seed)
        self._turn = threading.RLock()
        with store.alone():
            if not store.standing(skill.name).active:
                self._save(CorrectionPolicy.untaught(skill), 0, "Nobody has taught it yet.")
        self._stamp: object = None
        self._policy = self._current()

    @property
    def policy(self) -> CorrectionPolicy:
        """The version that acts."""
        with self._turn:
            return self._current()

    def act(self, context: Values, turn_id: uuid.UUID | None = None) -> ActionRecord:
        """Decides what to do. The caller records in the act when it ended, and how.

        Args:
            context: What is known, with all that the skill's `context` names.
            turn_id: Turn of conversation it belongs to.

        Raises:
            AgentError: `INVALID_ARGUMENTS`, `NOT_FINITE`: of the context.
        """
        with self._turn:
            policy = self._current()
            choice = policy.act(context, self._rng)
        now = time.time()
        return ActionRecord(
            act_id=uuid.uuid4(),
            turn_id=turn_id,
            skill=self._skill.name,
            context=dict(context),
            action=choice.action,
            probability=choice.probability,
            policy_version=str(policy.version),
            began=now,
            ended=now,
        )

    def learn(self, act: ActionRecord, score: Score) -> PolicyUpdate:
        """Makes a new version of what was said of an act; it is on disk, and acts, when this returns.

        Args:
            act: What was judged; which version did it does not matter.
            score: What was said of it.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the act is of another skill, or lacks something; `NOT_FINITE`.
        """
        if act.skill != self._skill.name:
            message = f"An act of {act.skill} teaches nothing of {self._skill.name}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if not np.isfinite((score.rating, score.confidence)).all():
            raise AgentError(ErrorCode.NOT_FINITE, "A judgement's rating and confidence must be finite.")
        seen = as_the_robot_sees(score, self._viewpoint)
        with self._turn, self._store.alone():
            policy = self._current()
            if self._store.standing(self._skill.name).pinned:
                return PolicyUpdate(policy.version, False, f"Version {policy.version} is pinned.")
            if Axis.UNDO in seen.axes:
                return self._undo(policy)
            if not policy.is_about(seen):
                return PolicyUpdate(policy.version, False, "Nothing was said about how it was done.")
            learned, reason = policy.learned(act, seen, self._rng)
            return PolicyUpdate(self._save(learned, policy.version, reason), True, reason)

    def _undo(self, policy: CorrectionPolicy) -> PolicyUpdate:
        if not policy.before:
            return PolicyUpdate(policy.version, False, "There is no correction to take back.")
        version = self._store.roll_back(self._skill.name, policy.before)
        return PolicyUpdate(version, True, f"The last correction was taken back: it is version {version} again.")

    def _save(self, policy: CorrectionPolicy, parent: int, reason: str) -> int:
        figures = {"judgements": float(policy.rewards.judged)}
        if policy.guard.baseline is not None:
            figures["baseline_rating"] = policy.guard.baseline.mean
        record = PolicyRecord(self._skill.name, 0, ALGORITHM, 0.0, parent, reason, figures=figures)
        return self._store.save(record, policy.arrays()).version

    def _current(self) -> CorrectionPolicy:
        stamp = self._store.stamp(self._skill.name)
        if stamp != self._stamp:
            record = self._store.inspect(self._skill.name)
            self._policy = CorrectionPolicy.from_arrays(self._skill, record.version, self._store.weights(record))
            self._stamp = stamp
        return self._policy


class PolicyCache:
    """Decides as the policies say that act now. Any thread may use it.

    Where a policy cannot be read, the robot does what it would do untaught, and reports why.

    Args:
        folder: Of the policies.
        skills: Those that it decides by; they are read at once, because the first act should not wait for it.
        report: Takes each new problem, a sentence.

    Attributes:
        problem: Why what was taught does not count, a sentence; empty where it does.
    """

    def __init__(self, folder: Path, skills: tuple[Skill, ...], report: Callable[[str], object]) -> None:
        self._folder = folder
        self._report = report
        self._lock = threading.Lock()
        self._learners: dict[str, OnlineLearner] = {}
        self.problem = ""
        for skill in skills:
            self._learner(skill)

    def decide(self, skill: Skill, context: Values, turn_id: uuid.UUID) -> ActionRecord | None:
        """What the skill's policy decides; None where it cannot.

        Args:
            skill: What is to be done.
            context: What is known.
            turn_id: Turn it belongs to; zeros for none.
        """
        learner = self._learner(skill)
        if learner is None:
            return None
        try:
            act = learner.act(context, turn_id if turn_id.int else None)
        except AgentError as error:
            self._note(error.message)
            return None
        self._note("")
        return act

    def _learner(self, skill: Skill) -> OnlineLearner | None:
        with self._lock:
            if skill.name not in self._learners:
                try:
                    self._learners[skill.name] = OnlineLearner(skill, PolicyStore(self._folder))
                except AgentError as error:
                    self._note(error.message)
                    return None
            return self._learners[skill.name]

    def _note(self, problem: str) -> None:
        if problem and problem != self.problem:
            self._report(f"What people taught does not count: {problem}")
        self.problem = problem


def judged_act(score: Score, acts: Sequence[ActionRecord]) -> ActionRecord:
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
    named = [act for act in acts if _can_learn(act) and _concerns(score, act)]
    if named:
        return named[0]
    done = [act for act in acts if act.skill != TALK.name] or acts
    if not done:
        raise AgentError(ErrorCode.NO_DATA, "The act that was judged is not known anymore.")
    if not _can_learn(done[0]):
        raise AgentError(ErrorCode.NO_DATA, f"Nothing decides how {done[0].skill} is done that could learn.")
    return done[0]


def as_the_robot_sees(score: Score, viewpoint: Viewpoint) -> Score:
    """The same judgement with left and right as the robot names them."""
    if viewpoint is Viewpoint.ROBOT:
        return score
    return replace(score, axes=tuple(_MIRRORED.get(axis, axis) for axis in score.axes))


def _can_learn(act: ActionRecord) -> bool:
    """Whether a policy that people correct decided it; a tool may bear the same name."""
    return act.skill in SKILLS and bool(act.policy_version)


def _concerns(score: Score, act: ActionRecord) -> bool:
    return any(SKILLS[act.skill].direction(axis).any() for axis in score.axes)
