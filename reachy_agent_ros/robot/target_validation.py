"""Validation of targets by the safety gate: limits, workspace, and the turn of the body to follow the head."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import NoReturn

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, is_rotation, rpy_from_matrix
from reachy_agent_ros.robot.coordinates import (
    ANGLES,
    ANTENNAS,
    BODY_YAW,
    HEAD_YAW,
    NAMES,
    TILT,
    TRANSLATION,
    coordinates,
    posture,
    usable,
)
from reachy_agent_ros.robot.finding import Finding, TargetError, clamped, with_unit
from reachy_agent_ros.robot.pose_limits import HIGH, LOW, MARGIN, NECK_COMFORT
from reachy_agent_ros.robot.workspace import Workspace

_NECK_STEP = math.radians(5.0)
_ROUNDING = 1e-9

_TURNING = (0, 1)
"""Indices of `head.x` and `head.y`, whose axes turn with the body."""


@dataclass(frozen=True)
class Target:
    """Target posture. A part that is None keeps its position, or moves to the nearest position that is possible.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m. Without `body_yaw`, the body turns by the part of the yaw that
            the neck should not or cannot take, and as far as is required to keep the head within its limits, which turn
            with the body. This turn depends only on the head, not on the previous yaw of the body.
        antennas: Angles of the right and left antenna, rad.
        body_yaw: Yaw of the body, rad. Without `head`, the head turns together with the body.
    """

    head: Matrix | None = None
    antennas: tuple[float, float] | None = None
    body_yaw: float | None = None

    @property
    def empty(self) -> bool:
        """Whether the target sets no coordinate: neither the head, nor the antennas, nor the body yaw."""
        return self.head is None and self.antennas is None and self.body_yaw is None


@dataclass(frozen=True)
class ValidatedTarget:
    """Validated target, with findings about the changes.

    Attributes:
        pose: Complete posture in the workspace and within the limits of the gate, which apply in the frame of the
            turned body.
        findings: All differences from the target. `head.x` and `head.y` are in `head_base` if the body turns to follow
            the head, otherwise in the frame of the turned body.
    """

    pose: BodyPose
    findings: tuple[Finding, ...]


class TargetValidator:
    """Validates targets, without state between calls. Use from one thread.

    Attributes:
        workspace: Workspace of permitted postures.
    """

    def __init__(self) -> None:
        self.workspace = Workspace()

    def admit(self, target: Target, present: BodyPose) -> ValidatedTarget:
        """Adds the missing parts of a target from the present posture, clamps the target, and checks its workspace.

        Raises:
            TargetError: `NOT_FINITE`, `NOT_RIGID`, `OUT_OF_ENVELOPE` or `UNREACHABLE`.
        """
        _require_finite(target)
        if target.head is not None:
            _require_rigid(target.head)
        wanted = _completed(target, present)
        applied = _bounded(wanted, target)
        if target.head is None:
            applied = self.workspace.nearest(applied)
            pose = posture(applied)
        elif target.body_yaw is not None:
            applied = self.workspace.turned_less(applied, TILT, ANGLES)
            pose = posture(applied)
            self._require_reachable(pose)
        else:
            pose = self._with_body_following(posture(applied))
            applied[TRANSLATION] = pose.head[TRANSLATION, 3]  # in `head_base`, like the target
            applied[TILT] = coordinates(pose)[TILT]
        return ValidatedTarget(pose, _changes(wanted, applied, turn=pose.body_yaw - applied[BODY_YAW]))

    def _with_body_following(self, pose: BodyPose) -> BodyPose:
        """Turns the body so that the head is within `NECK_COMFORT`, its limits and the workspace.

        The limits turn with the body, so a head in a corner of the limits may leave them when the body turns. Among the
        turns in the workspace, the method chooses the first one that keeps the position of the head; if there is none,
        the one that shifts the head least. If no turn is in the workspace, it chooses the one that reduces the tilt
        least.
        """
        bounded = [_with_bounded_translation(turned) for turned in _body_turns(pose)]
        best = self._cheapest(bounded) or self._cheapest(self._tilted_less(turned) for turned, _ in bounded)
        if best is None:
            self._refuse_every_turn(pose)
        return best

    def _cheapest(self, candidates: Iterable[tuple[BodyPose, float]]) -> BodyPose | None:
        """Returns the first posture in the workspace with the lowest cost, or None if all postures are outside."""
        best, least = None, math.inf
        for pose, cost in candidates:
            if cost < least - _ROUNDING and self.workspace.contains(pose):
                best, least = pose, cost
            if least <= _ROUNDING:
                break
        return best

    def _tilted_less(self, pose: BodyPose) -> tuple[BodyPose, float]:
        """Reduces the tilt of a posture as little as the workspace requires.

        Returns the posture and the reduction of the tilt (rad).
        """
        values = coordinates(pose)
        tilted = self.workspace.turned_less(values, TILT)
        return posture(tilted), math.dist(values[TILT], tilted[TILT])

    def _refuse_every_turn(self, pose: BodyPose) -> NoReturn:
        for turned in _body_turns(pose):
            if _with_bounded_translation(turned)[1] <= _ROUNDING:
                self._require_reachable(turned)
        x, y, yaw = pose.head[0, 3], pose.head[1, 3], coordinates(pose)[HEAD_YAW]
        place = f"x {with_unit('head.x', x)} and y {with_unit('head.y', y)}, turned by {with_unit('head.yaw', yaw)}"
        advice = "choose a position nearer to the middle or a smaller turn"
        message = f"No turn of the body keeps a head at {place} within its limits: {advice}."
        raise TargetError(ErrorCode.OUT_OF_ENVELOPE, message, field="head")

    def _require_reachable(self, pose: BodyPose) -> None:
        try:
            self.workspace.require(pose)
        except AgentError as error:
            raise TargetError(error.code, error.message, field="head") from error


def _body_turns(pose: BodyPose) -> Iterator[BodyPose]:
    """Yields copies of a pose with different body yaws.

    The first body yaw is the smallest one that keeps `NECK_COMFORT`. The body yaw then increases up to the yaw of the
    head.
    """
    yaw = rpy_from_matrix(pose.head)[2]
    twist = min(abs(yaw), NECK_COMFORT)
    steps = math.ceil(twist / _NECK_STEP)
    for step in range(steps + 1):
        body_yaw = yaw - math.copysign(max(0.0, twist - step * _NECK_STEP), yaw)
        if LOW[BODY_YAW] <= body_yaw <= HIGH[BODY_YAW]:
            yield replace(pose, body_yaw=body_yaw)


def _with_bounded_translation(pose: BodyPose) -> tuple[BodyPose, float]:
    """Returns the pose with the head shifted to be within its limits, and the length of the shift (m).

    The limits are in the frame of the turned body.
    """
    values = coordinates(pose)
    bounded = np.minimum(np.maximum(values[TRANSLATION], LOW[TRANSLATION]), HIGH[TRANSLATION])
    shift = math.dist(bounded, values[TRANSLATION])
    if shift <= _ROUNDING:
        return pose, shift
    values[TRANSLATION] = bounded
    return posture(values), shift


def _completed(target: Target, present: BodyPose) -> Vector:
    """Returns the nine coordinates of a target.

    If the target has no body yaw, the coordinates of the head are relative to a body at zero.

    If the body yaw is beyond its limits, the head still keeps its position in `head_base`.
    """
    values = coordinates(present)
    if target.body_yaw is not None:
        values[BODY_YAW] = target.body_yaw
    elif target.head is not None:
        values[BODY_YAW] = 0.0
    if target.head is not None:
        turned = float(min(max(values[BODY_YAW], LOW[BODY_YAW]), HIGH[BODY_YAW]))
        values[:BODY_YAW] = coordinates(BodyPose(target.head, body_yaw=turned))[:BODY_YAW]
    if target.antennas is not None:
        values[ANTENNAS] = target.antennas
    if not usable(values):
        raise TargetError(ErrorCode.NOT_FINITE, "The present posture contains a number that is not finite.", "present")
    return values


def _bounded(values: Vector, target: Target) -> Vector:
    """Returns the coordinates clipped to the limits.

    Rejects a coordinate of the target that exceeds its limit by more than the margin.
    """
    low, high, margin = LOW.copy(), HIGH.copy(), np.full_like(MARGIN, math.inf)
    if target.head is not None:
        margin[:BODY_YAW] = MARGIN[:BODY_YAW]
    if target.body_yaw is not None:
        margin[BODY_YAW] = MARGIN[BODY_YAW]
    elif target.head is not None:
        low[HEAD_YAW], high[HEAD_YAW] = -math.pi, math.pi
    if target.antennas is not None:
        margin[ANTENNAS] = MARGIN[ANTENNAS]
    applied = np.minimum(np.maximum(values, low), high)
    for index in np.flatnonzero(np.abs(values - applied) > margin + _ROUNDING):
        _refuse(int(index), values)
    return np.asarray(applied)


def _refuse(index: int, values: Vector) -> None:
    name, requested, turn = NAMES[index], float(values[index]), float(values[BODY_YAW])
    limits = f"{with_unit(name, float(LOW[index]))} to {with_unit(name, float(HIGH[index]))}"
    frame = f", in the frame of a body turned by {with_unit('body_yaw', turn)}" if index in _TURNING and turn else ""
    message = f"{name} of {with_unit(name, requested)} is beyond its limits, {limits}{frame}."
    raise TargetError(ErrorCode.OUT_OF_ENVELOPE, message, name, requested)


def _changes(wanted: Vector, applied: Vector, turn: float) -> tuple[Finding, ...]:
    """Returns a finding for every changed coordinate. `turn` is the chosen yaw (rad) of the body."""
    reason = f", because the body turns by {with_unit('body_yaw', turn)}" if turn else ""
    return tuple(
        clamped(NAMES[index], float(wanted[index]), float(applied[index]), reason if index in _TURNING else "")
        for index in np.flatnonzero(np.abs(wanted - applied) > _ROUNDING).tolist()
    )


def _require_finite(target: Target) -> None:
    given = {"head": target.head, "body_yaw": target.body_yaw}
    if target.antennas is not None:
        given.update(antenna_right=target.antennas[0], antenna_left=target.antennas[1])
    for field, value in given.items():
        if value is not None and not np.isfinite(value).all():
            raise TargetError(ErrorCode.NOT_FINITE, f"{field} contains a number that is not finite.", field)


def _require_rigid(head: Matrix) -> None:
    if head.shape != (4, 4) or not is_rotation(head[:3, :3]):
        raise TargetError(ErrorCode.NOT_RIGID, "The head's orientation is not a rotation (unit quaternion).", "head")
