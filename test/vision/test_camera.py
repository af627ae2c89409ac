import io
import math

import numpy as np
import pytest
from PIL import Image

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.vision.camera import Intrinsics, jpeg
from reachy_agent_ros.vision.head_history import HeadHistory
from reachy_agent_ros.vision.missing_camera import MissingCamera


def test_intrinsics_follow_from_the_field_of_view() -> None:
    intrinsics = Intrinsics.from_field_of_view(1280, 720, math.radians(80.0))
    assert intrinsics.focal_length == pytest.approx(429.03, abs=0.01)
    assert intrinsics.centre == (640.0, 360.0)


def test_a_picture_survives_jpeg() -> None:
    picture = np.zeros((48, 64, 3), np.uint8)
    picture[:, 32:] = (255, 200, 0)
    with Image.open(io.BytesIO(jpeg(picture))) as decoded:
        assert decoded.format == "JPEG"
        assert np.abs(np.asarray(decoded).astype(int) - picture).mean() < 3.0


def test_a_missing_camera_s_pictures_are_an_error_that_says_why() -> None:
    camera = MissingCamera("It was never there.")
    for take in (camera.open, lambda: camera.look(HeadHistory(), {}, 0.0), lambda: camera.capture({}, {})):
        with pytest.raises(AgentError, match="never there") as caught:
            take()
        assert caught.value.code is ErrorCode.CAMERA_UNAVAILABLE
    camera.close()
