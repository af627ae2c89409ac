#!/usr/bin/env python3
"""Writes emotions and gestures in the recorded-move format of the SDK. Run it after changing a score.

The scores are in scripts/scores.

A score lists keyframes: a time in seconds, then the values that change. All others keep their value.

    x, y, z               the head forward, left and up, mm
    roll, pitch, yaw      the head to its right shoulder, down and left, degrees, as seen from the body
    body                  the body to the left, degrees
    right, left, ears     an antenna, or both, outwards from upright, degrees
    neutral               everything back to 0
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reachy_agent_ros.core.pose import BodyPose, Vector
from reachy_agent_ros.robot.coordinates import NAMES, posture

ROOT = Path(__file__).resolve().parent.parent
SCORES = Path(__file__).parent / "scores"
MOVES = ROOT / "reachy_agent_ros" / "motion"

_DEGREE = np.pi / 180.0
_COORDINATES = {
    **{axis: (f"head.{axis}", 0.001) for axis in "xyz"},
    **{axis: (f"head.{axis}", _DEGREE) for axis in ("roll", "pitch", "yaw")},
    "body": ("body_yaw", _DEGREE),
    "right": ("antenna_right", -_DEGREE),
    "left": ("antenna_left", _DEGREE),
}
"""Coordinate and unit of each word. Antennas are positive to the robot's left, which is outwards for the left one."""

_BOTH = {"ears": ("right", "left")}


def recordings() -> Iterator[tuple[Path, str]]:
    """Yields the path and the text of every recorded move."""
    for score in sorted(SCORES.glob("*.toml")):
        for name, move in tomllib.loads(score.read_text(encoding="utf-8")).items():
            yield MOVES / score.stem / f"{name}.json", _recording(move["description"], move["frames"])


def _recording(description: str, frames: str) -> str:
    moments = list(_keyframes(frames))
    rows = ",\n    ".join(json.dumps(_frame(posture(values))) for _, values in moments)
    times = json.dumps([time for time, _ in moments])
    head = f'{{\n  "description": {json.dumps(description)},\n  "time": {times},\n  "set_target_data": [\n    '
    return f"{head}{rows}\n  ]\n}}\n"


def _keyframes(frames: str) -> Iterator[tuple[float, Vector]]:
    values = np.zeros(len(NAMES))
    for line in frames.strip().splitlines():
        time, *words = line.split()
        if words == ["neutral"]:
            values[:] = 0.0
            words = []
        for word, number in zip(words[::2], words[1::2], strict=True):
            for part in _BOTH.get(word, (word,)):
                coordinate, unit = _COORDINATES[part]
                values[NAMES.index(coordinate)] = unit * float(number)
        yield float(time), values.copy()


def _frame(pose: BodyPose) -> dict[str, object]:
    return {
        "head": _rounded(pose.head),
        "antennas": _rounded(np.array([pose.antenna_right, pose.antenna_left])),
        "body_yaw": round(pose.body_yaw, 4),
    }


def _rounded(values: Vector) -> object:
    return (np.round(values, 6) + 0.0).tolist()  # the sum converts negative zeros


def main() -> None:
    """Replaces all recorded moves."""
    for folder in {path.parent for path, _ in recordings()}:
        for old in folder.glob("*.json"):
            old.unlink()
    for path, text in recordings():
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
