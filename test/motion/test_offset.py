import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.core.pose import BodyPose, head_transform, rpy_from_matrix
from reachy_agent_ros.motion.offset import PATIENCE, Offset, OffsetLayers
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.finding import TargetError

BASE = BodyPose(head_transform(pitch=0.2, yaw=0.4), 0.1, -0.1, 0.2)
SPEECH, FACE = 0, 1
small = st.tuples(*(st.floats(-0.2, 0.2),) * 3).map(np.array)


def layers(**offsets: Offset) -> OffsetLayers:
    result = OffsetLayers()
    for source, offset in enumerate(offsets.values()):
        result.set(source, offset, 0.0)
    result.advance(0.2)
    return result


def test_an_offset_turns_the_head_about_its_own_axes() -> None:
    nodding = layers(speech=Offset(rotation=np.array([0.0, 0.1, 0.0])))
    assert np.allclose(rpy_from_matrix(nodding.added_to(BASE).head), (0.0, 0.3, 0.4), atol=0.005)


def test_layers_add_up() -> None:
    both = layers(
        speech=Offset(antenna_right=0.1, translation=np.array([0.0, 0.0, 0.01])), face=Offset(antenna_right=0.2)
    )
    pose = both.added_to(BASE)
    assert pose.antenna_right == pytest.approx(0.4, abs=0.01)
    assert pose.body_yaw == BASE.body_yaw


@given(small, small)
def test_what_was_added_can_be_removed(first: np.ndarray, second: np.ndarray) -> None:
    both = layers(speech=Offset(rotation=first, antenna_left=0.1), face=Offset(rotation=second))
    back = both.removed_from(both.added_to(BASE))
    assert np.allclose(coordinates(back), coordinates(BASE))


def test_a_layer_grows_and_fades_without_a_step() -> None:
    layer = OffsetLayers()
    layer.set(SPEECH, Offset(antenna_left=0.2), 0.0)
    seen = []
    for index in range(100):
        layer.advance(0.01 * index)
        seen.append(layer.added_to(BodyPose()).antenna_left)
    assert np.abs(np.diff(seen)).max() < 0.05
    assert max(seen) == pytest.approx(0.2, abs=0.005)
    assert seen[int(100 * PATIENCE)] == pytest.approx(0.2, abs=0.005)
    assert seen[-1] == 0.0


@pytest.mark.parametrize(
    ("offset", "code"),
    [
        (Offset(rotation=np.array([np.nan, 0.0, 0.0])), ErrorCode.NOT_FINITE),
        (Offset(antenna_left=np.inf), ErrorCode.NOT_FINITE),
        (Offset(translation=np.array([0.0, 0.0, 0.2])), ErrorCode.OUT_OF_ENVELOPE),
        (Offset(rotation=np.array([0.0, 2.0, 0.0])), ErrorCode.OUT_OF_ENVELOPE),
    ],
)
def test_a_bad_offset_is_refused_and_changes_nothing(offset: Offset, code: ErrorCode) -> None:
    before = layers(speech=Offset(antenna_left=0.2))
    with pytest.raises(TargetError) as refused:
        before.set(SPEECH, offset, 0.0)
    assert refused.value.code is code
    assert before.added_to(BodyPose()).antenna_left == pytest.approx(0.2, abs=0.005)
