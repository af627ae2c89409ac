"""The eye of the simulated robot: pictures that MuJoCo draws, and the detector that comes with the package."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.tool_generation.twin.eye import HEIGHT, WIDTH, Eye
from reachy_agent_ros.vision.camera import Image
from reachy_agent_ros.vision.desk_detector import DeskDetector
from reachy_agent_ros.vision.detection import Detection
from reachy_agent_ros.vision.mounting import AS_IN_THE_MODEL, Mounting
from reachy_agent_ros.vision.scene_camera import SceneCamera

_Drawn = TypeVar("_Drawn")


class SimulatedEye(Eye):
    """Draws what the robot sees and detects what is in it. Any thread may use it; the first look loads what that takes.

    Args:
        scene: One of `description.SCENES`.
        view: What a vision model would say of any picture; empty where there is none.
        blind: Whether the camera does not answer.
        mounting: How the eye truly sits in the head, of which nothing is known that judges its pictures.
    """

    def __init__(self, scene: str, view: str = "", blind: bool = False, mounting: Mounting = AS_IN_THE_MODEL) -> None:
        self._blind = blind
        self._mounting = mounting
        self._camera = SceneCamera(scene, WIDTH, HEIGHT)
        self._drawer = ThreadPoolExecutor(1, thread_name_prefix="eye")  # graphics belong to one thread
        super().__init__(self._camera.intrinsics, view)

    def picture(self, measured: Measurement) -> Image:
        """What is to be seen from where the head is."""
        if self._blind:
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, "The camera does not answer.")
        return self._drawn(lambda: self._camera.capture(self._mounting.head(measured.pose.head), measured.objects))

    def detections(self, measured: Measurement) -> list[Detection]:
        """What the detector finds in that picture."""
        image = self.picture(measured)
        return self._drawn(lambda: self._detector.detect(image))

    def close(self) -> None:
        """Frees what draws."""
        self._drawn(self._camera.close)
        self._drawer.shutdown()

    @cached_property
    def _detector(self) -> DeskDetector:
        return DeskDetector()

    def _drawn(self, draw: Callable[[], _Drawn]) -> _Drawn:
        return self._drawer.submit(draw).result()
