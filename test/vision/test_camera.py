import io
import math
import threading

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform, rpy_from_matrix
from reachy_agent_ros.vision.camera import HISTORY_DEPTH, HeadHistory, Intrinsics, MissingCamera, jpeg


def test_camera_intrinsics_are_computed_from_field_of_view() -> None:
    intrinsics = Intrinsics.from_field_of_view(1280, 720, math.radians(80.0))
    assert intrinsics.focal_length == pytest.approx(429.03, abs=0.01)
    assert intrinsics.center == (640.0, 360.0)


def test_jpeg_preserves_image() -> None:
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:, 32:] = (255, 200, 0)
    with Image.open(io.BytesIO(jpeg(picture))) as decoded:
        assert decoded.format == "JPEG"
        assert np.abs(np.asarray(decoded).astype(int) - picture).mean() < 3.0


def test_missing_camera_raises_error_that_contains_reason() -> None:
    camera = MissingCamera("It was never there.")
    for take in (camera.open, lambda: camera.look(HeadHistory(), {}, 0.0), lambda: camera.capture({}, {})):
        with pytest.raises(AgentError, match="never there") as caught:
            take()
        assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE
    camera.close()


def turning(count: int) -> HeadHistory:
    """Returns a history of head poses.

    From the time 100 s, the yaw increases by 0.01 rad every 20 ms.
    """
    history = HeadHistory()
    for number in range(count):
        history.add(100.0 + 0.02 * number, head_transform(yaw=0.01 * number))
    return history


@given(st.floats(100.0, 100.98))
def test_pose_history_interpolates_between_poses(stamp: float) -> None:
    assert rpy_from_matrix(turning(50).at(stamp))[2] == pytest.approx((stamp - 100.0) / 2.0, abs=1e-9)


@pytest.mark.parametrize(("stamp", "yaw"), [(99.0, 0.0), (200.0, 0.49), (100.0, 0.0), (100.98, 0.49)])
def test_pose_history_returns_nearest_pose_outside_its_range(stamp: float, yaw: float) -> None:
    assert rpy_from_matrix(turning(50).at(stamp))[2] == pytest.approx(yaw, abs=1e-9)


def test_pose_history_drops_old_poses() -> None:
    assert rpy_from_matrix(turning(HISTORY_DEPTH + 10).at(0.0))[2] == pytest.approx(0.1)


def test_clock_set_back_starts_new_pose_history() -> None:
    history = turning(50)
    history.add(50.0, head_transform(yaw=0.3))
    assert history.newest(0.0, 0.0)[0] == 50.0
    assert rpy_from_matrix(history.at(100.5))[2] == pytest.approx(0.3)


def test_pose_history_waits_for_sufficiently_recent_pose() -> None:
    history = turning(2)
    threading.Timer(0.05, history.add, (101.0, np.eye(4))).start()
    assert history.newest(100.5, 10.0)[0] == 101.0


@pytest.mark.parametrize("poses", [0, 3])
def test_hardware_bridge_without_poses_raises_error(poses: int) -> None:
    with pytest.raises(AgentError, match="silent") as caught:
        turning(poses).newest(200.0, 0.02)
    assert caught.value.code is ErrorCode.SERVER_UNAVAILABLE


def test_empty_pose_history_raises_error() -> None:
    with pytest.raises(AgentError, match="No head pose has arrived"):
        HeadHistory().at(1.0)
