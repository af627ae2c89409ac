import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.gaze import EYE_HEIGHT, gaze_at

EYE = np.array([0.0395, 0.0, EYE_HEIGHT])


@given(st.floats(0.3, 5.0), st.floats(-3.0, 3.0), st.floats(-0.5, 2.0))
def test_gaze_target_lies_on_optical_axis(x: float, y: float, z: float) -> None:
    head = gaze_at(np.array([x, y, z]), "head_base")
    seen = head[:3, :3].T @ np.array([x, y, z]) - EYE
    assert seen[0] > 0.0
    assert np.allclose(seen[1:], 0.0, atol=1e-9)


def test_converts_gaze_target_from_base_link() -> None:
    from_foot = gaze_at(np.array([1.0, 0.5, 0.4]), "base_link")
    assert np.allclose(from_foot, gaze_at(np.array([1.0, 0.5, 0.4 - 0.177]), "head_base"))


@pytest.mark.parametrize(
    ("point", "frame", "code"),
    [
        ((-1.0, 0.1, 0.0), "head_base", ErrorCode.OUT_OF_ENVELOPE),
        ((0.0, 1.0, 0.0), "head_base", ErrorCode.OUT_OF_ENVELOPE),
        ((0.01, 0.0, 0.0), "head_base", ErrorCode.OUT_OF_ENVELOPE),
        ((1.0, 0.0, 0.0), "map", ErrorCode.INVALID_GOAL),
        ((math.nan, 0.0, 0.0), "base_link", ErrorCode.NOT_FINITE),
        ((math.inf, 0.0, 0.0), "base_link", ErrorCode.NOT_FINITE),
    ],
)
def test_rejects_gaze_target_out_of_range(point: tuple[float, float, float], frame: str, code: ErrorCode) -> None:
    with pytest.raises(AgentError) as refused:
        gaze_at(np.array(point), frame)
    assert refused.value.code is code
