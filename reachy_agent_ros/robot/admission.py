"""The entrance of the safety gate: whether a target may be pursued at all, and as what."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, is_rotation
from reachy_agent_ros.robot.coordinates import (
    ANTENNAS,
    BODY_YAW,
    HEAD_PITCH,
    HEAD_YAW,
    NAMES,
    TRANSLATION,
    coordinates,
    posture,
)
from reachy_agent_ros.robot.envelope import HIGH, LOW, MARGIN
from reachy_agent_ros.robot.finding import Finding, TargetError, Verdict
from reachy_agent_ros.robot.kinematics import BodyKinematics

NECK_COMFORT = math.radians(45.0)
"""Furthest the neck twists by itself, rad, when the caller leaves the body's yaw to us; the body turns the rest."""

_FREE_PITCH = math.radians(15.0)
_LESS_TWIST = 2.0
"""Beyond that pitch, a radian of looking down costs so many radians of twist: the chin would meet the shoulder. Found
in the simulation, whose head was up to 9 deg off at postures that the arms reach."""

_NECK_STEP = math.radians(5.0)
_ROUNDING = 1e-9


@dataclass(frozen=True)
class Target:
    """Where the body should be; what is None stays as it is.

    Attributes:
        head: 4x4 transform of `head` in `head_base`, m. Without `body_yaw`, the body turns by as much as the neck
            should not or cannot: always the same for the same head, wherever the body was.
        antennas: Right and left, rad.
        body_yaw: rad. Without `head`, the head is carried along.
    """

    head: Matrix | None = None
    antennas: tuple[float, float] | None = None
    body_yaw: float | None = None

    @property
    def empty(self) -> bool:
        """Whether it sets nothing."""
        return self.head is None and self.antennas is None and self.body_yaw is None


@dataclass(frozen=True)
class Admitted:
    """A target that may be pursued.

    Attributes:
        pose: Complete, within the envelope, reachable.
        findings: What was clamped.
    """

    pose: BodyPose
    findings: tuple[Finding, ...]


class Admission:
    """Checks targets one by one; knows nothing of time. Use from one thread."""

    def __init__(self) -> None:
        self._kinematics = BodyKinematics()

    def admit(self, target: Target, present: BodyPose) -> Admitted:
        """Completes a target with the present posture, clamps it and makes sure that the arms reach it.

        Raises:
            TargetError: `NOT_FINITE`, `NOT_RIGID`, `OUT_OF_ENVELOPE` or `UNREACHABLE`.
        """
        _require_finite(target)
        if target.head is not None:
            _require_rigid(target.head)
        bounded, findings = _bounded(_completed(target, present), free_yaw=target.body_yaw is None)
        if target.head is None or target.body_yaw is not None:
            pose = posture(bounded)
            self._require_reachable(pose)
        else:
            pose = self._with_body_following(posture(bounded))
        return Admitted(pose, findings)

    def _with_body_following(self, pose: BodyPose) -> BodyPose:
        """Turns the body by no more than is needed to bring the head within the neck's comfort and the arms' reach."""
        yaw = coordinates(pose)[HEAD_YAW]
        twist = min(abs(yaw), _comfortable_twist(coordinates(pose)[HEAD_PITCH]))
        while True:
            candidate = replace(pose, body_yaw=float(yaw - math.copysign(twist, yaw)))
            try:
                self._require_reachable(candidate)
            except TargetError:
                twist -= _NECK_STEP
                if twist < 0.0:
                    raise
            else:
                return candidate

    def _require_reachable(self, pose: BodyPose) -> None:
        try:
            self._kinematics.inverse(pose)
        except AgentError as error:
            raise TargetError(error.code, error.message, field="head") from error


def _comfortable_twist(pitch: float) -> float:
    return max(0.0, NECK_COMFORT - _LESS_TWIST * max(0.0, pitch - _FREE_PITCH))


def _completed(target: Target, present: BodyPose) -> Vector:
    """The nine coordinates wanted; those of a head without a body's yaw count from a body at zero."""
    values = coordinates(present)
    if target.body_yaw is not None:
        values[BODY_YAW] = target.body_yaw
    elif target.head is not None:
        values[BODY_YAW] = 0.0
    if target.head is not None:
        values[:BODY_YAW] = coordinates(BodyPose(target.head, body_yaw=values[BODY_YAW]))[:BODY_YAW]
    if target.antennas is not None:
        values[ANTENNAS] = target.antennas
    return values


def _bounded(values: Vector, free_yaw: bool) -> tuple[Vector, tuple[Finding, ...]]:
    low, high = LOW.copy(), HIGH.copy()
    if free_yaw:
        low[HEAD_YAW], high[HEAD_YAW] = -math.pi, math.pi
    applied = np.clip(values, low, high)
    beyond = np.abs(values - applied)
    for index in np.flatnonzero(beyond > MARGIN + _ROUNDING):
        _refuse(int(index), float(values[index]))
    findings = [
        _clamped(int(index), float(values[index]), float(applied[index]))
        for index in np.flatnonzero(beyond > _ROUNDING)
    ]
    return applied, tuple(findings)


def _refuse(index: int, requested: float) -> None:
    limits = f"{_spoken(index, float(LOW[index]))} to {_spoken(index, float(HIGH[index]))}"
    message = f"{NAMES[index]} of {_spoken(index, requested)} is beyond its limits, {limits}."
    raise TargetError(ErrorCode.OUT_OF_ENVELOPE, message, NAMES[index], requested)


def _clamped(index: int, requested: float, applied: float) -> Finding:
    message = f"{NAMES[index]} of {_spoken(index, requested)} was clamped to {_spoken(index, applied)}."
    return Finding(NAMES[index], requested, applied, Verdict.CLAMPED, ErrorCode.NONE, message)


def _spoken(index: int, value: float) -> str:
    return f"{value * 1000.0:.1f} mm" if index < TRANSLATION.stop else f"{math.degrees(value):.1f} deg"


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
