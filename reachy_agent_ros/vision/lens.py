"""The lens of a real camera, and the remedy for its faults: pictures that an ideal pinhole would have taken."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import yaml

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.storage.strict_yaml import YAML_ERRORS
from reachy_agent_ros.vision.camera import Intrinsics


@dataclass(frozen=True)
class Lens:
    """A camera matrix and how far it is from the truth, in the model of OpenCV and ROS (`plumb_bob`).

    Attributes:
        width: Of the pictures it was measured on, pixels.
        height: The same.
        matrix: 3x3, pixels, which OpenCV counts from the middle of the upper left one.
        distortion: Coefficients, in OpenCV's order; empty for none.
    """

    width: int
    height: int
    matrix: Matrix
    distortion: Vector

    @classmethod
    def from_field_of_view(cls, width: int, height: int, vertical: float) -> Lens:
        """A lens of which no more is known than the angle `vertical`, rad, that its picture spans."""
        focal_length = height / 2.0 / math.tan(vertical / 2.0)
        matrix = np.array(
            [[focal_length, 0.0, (width - 1) / 2.0], [0.0, focal_length, (height - 1) / 2.0], [0.0, 0.0, 1.0]]
        )
        return cls(width, height, matrix, np.zeros(0))

    @classmethod
    def read(cls, path: Path) -> Lens:
        """Reads the file that ROS's `camera_calibration` writes.

        Raises:
            AgentError: `CAMERA_UNAVAILABLE`: there is no such file, or it is no calibration.
        """
        try:
            content = yaml.safe_load(path.read_text())
            matrix = np.array(content["camera_matrix"]["data"], dtype=float).reshape(3, 3)
            distortion = np.array(content["distortion_coefficients"]["data"], dtype=float)
            return cls(int(content["image_width"]), int(content["image_height"]), matrix, distortion)
        except (OSError, OverflowError, *YAML_ERRORS) as error:
            message = f"{path} is no calibration as ROS's camera_calibration writes it: {error}."
            raise AgentError(ErrorCode.CAMERA_UNAVAILABLE, message) from error

    def scaled(self, width: int, height: int) -> Lens:
        """The same lens with pictures of another size."""
        across, down = width / self.width, height / self.height
        scale = np.array([[across, 0.0, (across - 1.0) / 2.0], [0.0, down, (down - 1.0) / 2.0], [0.0, 0.0, 1.0]])
        return Lens(width, height, scale @ self.matrix, self.distortion)

    def pinhole(self, width: int, height: int) -> Intrinsics:
        """The ideal camera of that picture size that looks as widely from left to right."""
        return Intrinsics(width, height, float(self.matrix[0, 0]) * width / self.width)
