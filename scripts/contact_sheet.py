#!/usr/bin/env python3
"""Draws emotions.png and gestures.png in docs/images, with the most distinctive moments of each move.

Run it after scripts/recorded_moves.py. It takes some minutes without a GPU.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.motion.emotion import emotion, emotions
from reachy_agent_ros.motion.gesture import Gesture, gestures
from reachy_agent_ros.motion.move import Move
from reachy_agent_ros.robot.coordinates import coordinates
from reachy_agent_ros.robot.limiter import MotionState
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.robot.protocol import Measurement
from reachy_agent_ros.robot.sleep import sleep_posture
from reachy_agent_ros.vision.studio_view import StudioView

DOCS = Path(__file__).resolve().parent.parent / "docs"

PICTURES = 5
"""Number of pictures of each move."""

_COLUMNS = 2
_DRAWN = 360
_CUT = (40, 12, 320, 306)
_CELL = (140, 147)
_TITLE = 20
_GAP = 14
"""Sizes, pixels: rendered picture, the part that shows the robot, this part after scaling, the title above it, and the
gap between columns."""

_STEP = 0.01
_SETTLING = 2.0
"""Time for the robot to settle, s."""

_COLORS = 128
_WEIGHTS = np.array([40.0, 40.0, 40.0, 2.0, 2.0, 2.0, 2.0, 0.4, 0.4])
"""Visual weight of each coordinate: 25 mm count as much as 0.5 rad of the head, or 2.5 rad of an antenna."""


class Stage:
    """Simulated robot on a simulated clock, and a camera."""

    def __init__(self) -> None:
        self._time = 0.0
        self._robot = MujocoRobot("empty", lambda: self._time)
        self._robot.connect()
        self._view = StudioView("empty", _DRAWN, _DRAWN, paper=True)

    def pictures(self, move: Move) -> Iterator[Image.Image]:
        """Plays a move and draws it at its most distinctive moments."""
        for _ in np.arange(0.0, _SETTLING, _STEP):
            self._played(move.at(0.0))
        measured = [self._played(move.at(time)) for time in np.arange(0.0, move.duration, _STEP)]
        for number in telling_moments(np.array([coordinates(sample.pose) for sample in measured])):
            picture = Image.fromarray(self._view.draw(measured[number].joints, {}))
            yield picture.crop(_CUT).resize(_CELL, Image.Resampling.LANCZOS)

    def _played(self, pose: BodyPose) -> Measurement:
        self._robot.command(pose)
        self._time += _STEP
        return self._robot.measure()


def telling_moments(values: Vector) -> list[int]:
    """Returns the indices of the postures that differ most from each other and from the first one, in ascending order.

    Args:
        values: Coordinates, one row per posture.
    """
    looks = _WEIGHTS * values
    distance = np.linalg.norm(looks - looks[0], axis=1)
    chosen: list[int] = []
    while len(chosen) < PICTURES:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, np.linalg.norm(looks - looks[chosen[-1]], axis=1))
    return sorted(chosen)


def sheet(names: Sequence[str], move_of: Callable[[str], Move]) -> Image.Image:
    """Draws one strip of pictures for each move, below the name of the move."""
    width, height = _GAP + PICTURES * _CELL[0], _TITLE + _CELL[1]
    rows = -(-len(names) // _COLUMNS)
    result = Image.new("RGB", (_COLUMNS * width - _GAP, rows * height), "white")
    draw, stage = ImageDraw.Draw(result), Stage()
    for number, name in enumerate(names):
        left, top = number // rows * width, number % rows * height
        draw.text((left + 2, top + 2), name, fill="black", font=ImageFont.load_default(14))
        for place, picture in enumerate(stage.pictures(move_of(name))):
            result.paste(picture, (left + place * _CELL[0], top + _TITLE))
    return result.quantize(_COLORS)


def _gesture(name: str) -> Move:
    start = coordinates(sleep_posture() if name == "wake_up" else BodyPose())
    return Gesture(name, start).begin(MotionState(start, np.zeros(9)))


def main() -> None:
    """Draws both contact sheets."""
    sheet(emotions(), emotion).save(DOCS / "images" / "emotions.png", optimize=True)
    sheet(gestures(), _gesture).save(DOCS / "images" / "gestures.png", optimize=True)


if __name__ == "__main__":
    main()
