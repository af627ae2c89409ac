from __future__ import annotations

import numpy as np
import pytest
from sensor_msgs.msg import CameraInfo, CompressedImage

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.ros.camera.pictures import frame_of
from support.huge_png import huge_png


@pytest.mark.parametrize("data", [b"", b"no picture", huge_png(30_000)], ids=["empty", "text", "huge"])
def test_reports_invalid_picture_of_camera(data: bytes) -> None:
    with pytest.raises(AgentError, match="The camera sent an invalid picture") as refused:
        frame_of(CompressedImage(format="png", data=data), CameraInfo(), np.eye(4))
    assert refused.value.code is ErrorCode.CAMERA_UNAVAILABLE
