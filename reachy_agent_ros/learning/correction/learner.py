"""Online learner of corrections, which chooses the parameters of each skill and learns from people's feedback.

Each correction is first assigned to an action and, for left and right, to a viewpoint. By default, left and right are
those of the robot, as in commands ("look left" turns to the robot's left), because the same words should not mean
opposite sides in a command and in a correction. For a person who faces the robot, `Viewpoint.ACROSS` mirrors left and
right. All other axes are independent of the viewpoint.
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
from reachy_agent_ros.core.pose import Vector
from reachy_agent_ros.learning.action_record import TOOL_CHOICE, ActionRecord
from reachy_agent_ros.learning.correction.lesson import (
    UNDONE,
    appraisal_of,
    lesson_of,
    limit_of,
    not_done,
    unchangeable,
)
from reachy_agent_ros.learning.correction.policy import RESTORED, CorrectionPolicy
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore
from reachy_agent_ros.learning.correction.skills import SKILLS, TALK, Skill, Values
from reachy_agent_ros.learning.score import Axis, Score, Sign

ALGORITHM = "coach"

_MIRRORED = {
    Axis.YAW_LEFT: Axis.YAW_RIGHT,
    Axis.YAW_RIGHT: Axis.YAW_LEFT,
    Axis.ROLL_LEFT: Axis.ROLL_RIGHT,
    Axis.ROLL_RIGHT: Axis.ROLL_LEFT,
}


class Viewpoint(StrEnum):
    """Point of view from which a person uses the words "left" and "right"."""

    ROBOT = "robot"
    """Left and right as seen by the robot."""
    ACROSS = "across"
    """Left and right as seen by a person who faces the robot."""


@dataclass(frozen=True)
class PolicyUpdate:
    """Result of learning from feedback.

    Attributes:
        version: Version that is now active.
        learned: Whether the version has changed.
        reason: Sentence of the robot about what it has learned, or the reason for learning nothing.
        told: Whether the robot tells the reason to a person who gave a correction.
    """

    version: int
    learned: bool
    reason: str
    told: bool = False


class OnlineLearner:
    """Online learner of one skill. Decides with the active policy version, and saves a new version after feedback.

    Thread-safe.

    A rollback or pin in the store, by this process or another, takes effect at the next action.

    Args:
        skill: The skill.
        store: Store with the versions of the policy. If there are none, the robot uses the nominal parameters, and the
            first feedback also saves an initial version, to which "undo" can return.
        viewpoint: Viewpoint of the person for left and right.
        seed: Random seed of the exploration; None for a random one.

    Raises:
        AgentError: `STORAGE_FAILED`; `POLICY_REJECTED` if the active version belongs to a skill with the same name but
            other parameters. Both also from all methods.
    """

    def __init__(
        self, skill: Skill, store: PolicyStore, viewpoint: Viewpoint = Viewpoint.ROBOT, seed: int | None = None
    ) -> None:
        self._skill = skill
        self._store = store
        self._viewpoint = viewpoint
        self._rng = np.random.default_rng(seed)
        self._turn = threading.RLock()
        self._stamp: object = None
        self._policy = self._current()

    @property
    def policy(self) -> CorrectionPolicy:
        """Active version of the policy."""
        with self._turn:
            return self._current()

    def act(self, context: Values, turn_id: uuid.UUID | None = None) -> ActionRecord:
        """Chooses the parameters of an action. The caller completes the record with the end time and the outcome.

        Args:
            context: Values for all names in the skill's `context`.
            turn_id: Conversation turn that the action belongs to.

        Raises:
            AgentError: `INVALID_ARGUMENTS` or `NOT_FINITE` for the context.
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
        """Learns from feedback on an action. When the method returns, the new version is on disk and active.

        Args:
            act: The judged action, of any version.
            score: Score of the feedback.

        Raises:
            AgentError: `INVALID_ARGUMENTS` if the action belongs to another skill or lacks a value; `NOT_FINITE`;
                `NOT_FOUND` if the version to which "undo" returns was deleted.
        """
        if act.skill != self._skill.name:
            message = f"Invalid action: expected skill {self._skill.name}, not {act.skill}."
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, message)
        if not np.isfinite((score.rating, score.confidence)).all():
            raise AgentError(ErrorCode.NOT_FINITE, "Invalid feedback: rating and confidence must be finite.")
        seen = as_the_robot_sees(score, self._viewpoint)
        with self._turn, self._store.alone():
            policy = self._current()
            if self._store.standing(self._skill.name).pinned:
                return PolicyUpdate(policy.version, False, f"Version {policy.version} is pinned.")
            if Axis.UNDO in seen.axes:
                return self._undo(policy)
            if not policy.is_about(seen):
                return PolicyUpdate(policy.version, False, "The feedback says nothing about the manner.")
            asked = self._concerned(score)
            possible = [axis for axis, direction in asked.items() if self._skill.has_room(act.action, direction)]
            if asked and not possible:
                return PolicyUpdate(policy.version, False, limit_of(self._skill.name, list(asked)), told=True)
            learned, reason = policy.learned(act, seen, self._rng)
            if not policy.version:  # undo must be able to return to the untrained behavior
                policy = replace(policy, version=self._save_initial())
                learned = replace(learned, before=policy.version if asked else 0)
            version = self._save(learned, policy.version, reason)
            lesson = reason
            if reason != RESTORED:
                liked = score.sign is Sign.POSITIVE
                lesson = lesson_of(self._skill.name, possible) if possible else appraisal_of(self._skill.name, liked)
            return PolicyUpdate(version, True, lesson, told=True)

    def _undo(self, policy: CorrectionPolicy) -> PolicyUpdate:
        if not policy.before:
            return PolicyUpdate(policy.version, False, "There is no correction to undo.")
        version = self._store.roll_back(self._skill.name, policy.before)
        return PolicyUpdate(version, True, UNDONE, told=True)

    def _concerned(self, said: Score) -> dict[Axis, Vector]:
        """Returns the corrections that concern the skill, with their directions in parameter space.

        Left and right of the corrections are as the person said them; the directions are those of the robot.
        """
        seen = as_the_robot_sees(said, self._viewpoint)
        directions = {axis: self._skill.direction(own) for axis, own in zip(said.axes, seen.axes, strict=True)}
        return {axis: direction for axis, direction in directions.items() if direction.any()}

    def _save_initial(self) -> int:
        return self._save(CorrectionPolicy.untaught(self._skill), 0, "Initial version, not corrected yet.")

    def _save(self, policy: CorrectionPolicy, parent: int, reason: str) -> int:
        figures = {"judgements": float(policy.rewards.judged)}
        if policy.guard.baseline is not None:
            figures["baseline_rating"] = policy.guard.baseline.mean
        record = PolicyRecord(self._skill.name, 0, ALGORITHM, 0.0, parent, reason, figures=figures)
        return self._store.save(record, policy.arrays()).version

    def _current(self) -> CorrectionPolicy:
        stamp = self._store.stamp(self._skill.name)
        if stamp != self._stamp:
            record = self._store.active(self._skill.name)
            self._policy = (
                CorrectionPolicy.from_arrays(self._skill, record.version, self._store.weights(record))
                if record.version
                else CorrectionPolicy.untaught(self._skill)
            )
            self._stamp = stamp
        return self._policy


class PolicyCache:
    """Cache of the active policies of all skills. Thread-safe.

    If a policy cannot be read, the robot uses its nominal parameters and reports the problem.

    Args:
        folder: Folder of the policies.
        skills: Skills whose policies are loaded immediately, so that the first action is not delayed.
        report: Callback that receives each new problem as a sentence.

    Attributes:
        problem: Sentence that explains why corrections are not applied; empty if they are applied.
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
        """Chooses an action of a skill with its active policy. Returns None if the policy cannot be used.

        Args:
            skill: The skill.
            context: Values for all names in the skill's `context`.
            turn_id: Conversation turn that the action belongs to; all zeros if there is none.
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
            self._report(f"Corrections are not applied: {problem}")
        self.problem = problem


class UnchangeableActionError(AgentError):
    """Error `NO_DATA`: the style of the judged action cannot be corrected. The robot speaks the error message.

    Args:
        action: Tool of the action.
    """

    def __init__(self, action: str) -> None:
        super().__init__(ErrorCode.NO_DATA, unchangeable(action))


def judged_act(score: Score, acts: Sequence[ActionRecord]) -> ActionRecord:
    """Returns the action that feedback refers to.

    A correction refers to a skill that has the corrected parameter: if a person says "too far down" while the robot
    describes what it sees, the correction refers to looking and not to speaking. Praise or criticism without a
    correction refers to the action and not to the speech that accompanied it, unless speech was the only action.

    Args:
        score: Score of the feedback.
        acts: Candidates, most likely first.

    Raises:
        UnchangeableActionError: The most likely action does not belong to a correctable skill.
        AgentError: `NO_DATA` if the action is no longer known or failed before its policy was used, or the feedback is
            a stop.
    """
    if score.stop:
        raise AgentError(ErrorCode.NO_DATA, "A stop is not feedback on the style of an action.")
    named = [act for act in acts if _can_learn(act) and _concerns(score, act)]
    if named:
        return named[0]
    seen = [act for act in acts if act.skill != TOOL_CHOICE] or acts
    done = [act for act in seen if act.skill != TALK.name] or seen
    if not done:
        raise AgentError(ErrorCode.NO_DATA, "The judged action is no longer known.")
    if not _can_learn(done[0]):
        if done[0].skill in SKILLS:  # it failed before its policy was used
            raise AgentError(ErrorCode.NO_DATA, not_done(done[0].skill))
        if not done[0].tool:
            raise AgentError(ErrorCode.NO_DATA, "I only answered, so there is no action to correct.")
        raise UnchangeableActionError(done[0].tool)
    return done[0]


def as_the_robot_sees(score: Score, viewpoint: Viewpoint) -> Score:
    """Converts the directions left and right in a score to the robot's point of view."""
    if viewpoint is Viewpoint.ROBOT:
        return score
    return replace(score, axes=tuple(_MIRRORED.get(axis, axis) for axis in score.axes))


def _can_learn(act: ActionRecord) -> bool:
    """Returns whether a correction policy chose the action.

    The name of the skill is not sufficient, because a tool may have the same name.
    """
    return act.skill in SKILLS and bool(act.policy_version)


def _concerns(score: Score, act: ActionRecord) -> bool:
    return any(SKILLS[act.skill].direction(axis).any() for axis in score.axes)
