import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.motion.offset import PATIENCE, Offset, OffsetLayers, OffsetSource
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.finding import TargetError
from reachy_agent_ros.robot.pose_limits import ACCELERATION

BASE = BodyPose(head_transform(pitch=0.2, yaw=0.4), 0.1, -0.1, 0.2)
small = st.tuples(*(st.floats(-0.2, 0.2),) * 3).map(np.array)


def layers(**offsets: Offset) -> OffsetLayers:
    result = OffsetLayers()
    for source, offset in enumerate(offsets.values()):
        result.set(source, offset, 0.0)
    run(result, 0.0, 1.0, sent=0.0)
    return result


def run(layers: OffsetLayers, start: float, end: float, sent: float | None = None, frozen: bool = False) -> list[float]:
    """Returns the angle of the left antenna every 10 ms.

    If `sent` is set, the clock stands still, so that the last offset stays valid.
    """
    seen = []
    for now in np.arange(start, end, 0.01):
        layers.advance(float(now) if sent is None else sent, 0.01, frozen)
        seen.append(layers.added_to(BodyPose()).antenna_left)
    return seen


def test_offset_turns_head_about_its_own_axes() -> None:
    nodding = layers(speech=Offset(rotation=np.array([0.0, 0.1, 0.0])))
    assert np.allclose(rpy_from_matrix(nodding.added_to(BASE).head), (0.0, 0.3, 0.4), atol=0.005)


def test_offsets_of_layers_are_added() -> None:
    both = layers(
        speech=Offset(antenna_right=0.1, translation=np.array([0.0, 0.0, 0.01])), face=Offset(antenna_right=0.2)
    )
    pose = both.added_to(BASE)
    assert pose.antenna_right == pytest.approx(0.4, abs=0.01)
    assert pose.body_yaw == BASE.body_yaw


@pytest.mark.slow
@given(small, small)
def test_removing_layers_restores_original_pose(first: np.ndarray, second: np.ndarray) -> None:
    both = layers(speech=Offset(rotation=first, antenna_left=0.1), face=Offset(rotation=second))
    back = both.removed_from(both.added_to(BASE))
    assert np.allclose(coordinates(back), coordinates(BASE))


def test_removing_half_of_layers_restores_original_pose() -> None:
    both = layers(speech=Offset(rotation=np.array([0.1, 0.2, 0.0])), face=Offset(rotation=np.array([0.0, 0.1, 0.9])))
    back = both.removed_from(both.added_to(BASE, 0.5), 0.5)
    assert np.allclose(coordinates(back), coordinates(BASE))


def test_layer_fades_in_and_out_with_continuous_velocity() -> None:
    layer = OffsetLayers()
    layer.set(OffsetSource.SPEECH, Offset(antenna_left=0.2), 0.0)
    seen = run(layer, 0.0, 2.0)
    assert np.abs(np.diff(seen, 2)).max() / 0.01 <= ACCELERATION[8] * 0.01
    assert seen[int(100 * PATIENCE)] == pytest.approx(0.2, abs=0.005)
    assert max(seen) <= 0.2
    assert seen[-1] == 0.0


def test_frozen_layer_comes_to_rest_and_resumes_when_released() -> None:
    layer = OffsetLayers()
    layer.set(OffsetSource.SPEECH, Offset(antenna_left=0.5), 0.0)
    grown = run(layer, 0.0, 0.08)[-1]
    frozen = run(layer, 0.08, 1.0, frozen=True)
    assert grown < frozen[20] == pytest.approx(frozen[-1], abs=1e-4)
    assert frozen[-1] < 0.49
    assert run(layer, 1.0, 3.0)[-1] == 0.0


def test_disabled_layer_fades_out_and_returns_when_enabled() -> None:
    layer = layers(speech=Offset(antenna_left=0.2), face=Offset(antenna_left=0.1))
    layer.switch(OffsetSource.SPEECH, on=False)
    assert run(layer, 1.0, 3.0, sent=0.0)[-1] == pytest.approx(0.1, abs=1e-6)
    layer.switch(OffsetSource.SPEECH, on=True)
    assert run(layer, 3.0, 5.0, sent=0.0)[-1] == pytest.approx(0.3, abs=1e-6)


def test_face_tracking_may_turn_head_further_than_speech() -> None:
    far = Offset(rotation=np.array([0.0, 0.0, math.radians(55.0)]))
    layer = OffsetLayers()
    layer.set(OffsetSource.FACE, far, 0.0)
    with pytest.raises(TargetError, match="SPEECH") as refused:
        layer.set(OffsetSource.SPEECH, far, 0.0)
    assert refused.value.code is ErrorCode.OUT_OF_ENVELOPE


def test_rejects_unknown_offset_source() -> None:
    with pytest.raises(TargetError) as refused:
        OffsetLayers().set(7, Offset(), 0.0)
    assert refused.value.code is ErrorCode.INVALID_GOAL


@pytest.mark.parametrize(
    ("offset", "code"),
    [
        (Offset(rotation=np.array([np.nan, 0.0, 0.0])), ErrorCode.NOT_FINITE),
        (Offset(antenna_left=np.inf), ErrorCode.NOT_FINITE),
        (Offset(translation=np.array([0.0, 0.0, 0.2])), ErrorCode.OUT_OF_ENVELOPE),
        (Offset(rotation=np.array([0.0, 2.0, 0.0])), ErrorCode.OUT_OF_ENVELOPE),
    ],
)
def test_rejects_invalid_offset_without_change(offset: Offset, code: ErrorCode) -> None:
    before = layers(speech=Offset(antenna_left=0.2))
    with pytest.raises(TargetError) as refused:
        before.set(OffsetSource.SPEECH, offset, 0.0)
    assert refused.value.code is code
    assert before.added_to(BodyPose()).antenna_left == pytest.approx(0.2, abs=0.005)
