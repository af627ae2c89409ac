"""Assertions about poses that the safety gate admits, shared by the tests of all command interfaces.

An admitted pose is within the limits of the gate in the frame of the turned body, the arms reach it, and every
difference from the request is reported as a finding.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector, wrap_angle
from reachy_agent_ros.robot.coordinates import ANTENNAS, BODY_YAW, HEAD_YAW, NAMES, TRANSLATION, coordinates
from reachy_agent_ros.robot.finding import Finding, TargetVerdict
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import HIGH, LOW
from reachy_agent_ros.robot.target_validation import Target

ROUNDING = 1e-9
"""Rounding error of arithmetic, m and rad."""

_KINEMATICS = BodyKinematics()
_DIFFERENCE = 1e-6
"""Difference above which two values count as different, m and rad."""


def assert_within_limits(pose: BodyPose) -> None:
    """Asserts that the pose is within the coordinate limits and that the arms of the head can reach it."""
    values = coordinates(pose)
    outside = {
        name: value
        for name, value, low, high in zip(NAMES, values, LOW, HIGH, strict=True)
        if not low - ROUNDING <= value <= high + ROUNDING
    }
    assert not outside, outside
    assert _KINEMATICS.reaches(pose), "the arms do not reach the pose"


def assert_changes_are_reported(
    target: Target, present: BodyPose, admitted: BodyPose, findings: Sequence[Finding]
) -> None:
    """Asserts that the findings list exactly those fields that the gate has changed, in the frame of the request."""
    requested, applied = _in_frame_of_request(target, present, admitted)
    difference = applied - requested
    difference[HEAD_YAW] = wrap_angle(difference[HEAD_YAW])
    changed = {NAMES[index]: index for index in np.flatnonzero(np.abs(difference) > _DIFFERENCE)}
    assert {finding.field for finding in findings if abs(finding.applied - finding.requested) > _DIFFERENCE} == {
        *changed
    }
    for finding in findings:
        index = NAMES.index(finding.field)
        assert finding.verdict is TargetVerdict.CLAMPED
        assert abs(wrap_angle(finding.requested - requested[index])) <= _DIFFERENCE
        assert abs(finding.applied - applied[index]) <= _DIFFERENCE


def _in_frame_of_request(target: Target, present: BodyPose, admitted: BodyPose) -> tuple[Vector, Vector]:
    """Returns the nine requested and the nine admitted coordinates, both in the frame of the request.

    The head is compared in `head_base`, except its yaw, which is relative to the body if the caller sets both. If the
    head is not set, it keeps its pose relative to the body and turns with it.
    """
    requested, applied = coordinates(present), coordinates(admitted)
    if target.body_yaw is not None:
        requested[BODY_YAW] = target.body_yaw
    if target.antennas is not None:
        requested[ANTENNAS] = target.antennas
    if target.head is not None:
        for values, head in ((requested, target.head), (applied, admitted.head)):
            values[:BODY_YAW] = coordinates(BodyPose(head, body_yaw=admitted.body_yaw))[:BODY_YAW]
            values[TRANSLATION] = head[TRANSLATION, 3]
        if target.body_yaw is None:
            requested[BODY_YAW] = applied[BODY_YAW]
            assert abs(wrap_angle(requested[HEAD_YAW] - applied[HEAD_YAW])) <= _DIFFERENCE
    return requested, applied
