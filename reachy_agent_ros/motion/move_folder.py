"""Folder of recorded moves. Each move is a file in the JSON format of the Reachy Mini SDK."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import BodyPose, Matrix, Vector, is_rotation, orthonormal
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.robot.coordinates import NAMES, coordinates
from reachy_agent_ros.robot.pose_limits import HIGH, LOW

LARGEST_FILE = 16_000_000
"""Maximum size of a file, bytes: two minutes at 100 postures per second need half of that."""

_PLAUSIBLE = 3.0
"""Multiple of the envelope beyond which a posture is rejected. `request.fitted` corrects values that are slightly out
of range, but such a large value indicates a wrong unit."""


class MoveFolder:
    """Folder of recorded moves. It is read again on each call, so that a new file can be played immediately.

    A name only selects one of the files found, so no name can access files outside the folder.

    Args:
        kind: Name of this kind of move in messages, such as "emotion".
        path: Path of the folder, which need not exist.
    """

    def __init__(self, kind: str, path: Path) -> None:
        self._kind = kind
        self._path = path

    def names(self) -> tuple[str, ...]:
        """Returns the names of all moves (file names without `.json`) in alphabetical order."""
        return tuple(sorted(path.stem for path in self._path.glob("*.json") if path.is_file()))

    def move(self, name: str) -> RecordedMove:
        """Returns the move with the given name.

        Raises:
            AgentError: `UNKNOWN_MOVE`, with the known names; or an error of `load_recorded_move`.
        """
        names = self.names()
        if name not in names:
            expected = f"expected one of {', '.join(names)}" if names else f"there are none in {self._path}"
            raise AgentError(ErrorCode.UNKNOWN_MOVE, f"Unknown {self._kind} {name!r}: {expected}.")
        path = self._path / f"{name}.json"
        try:
            return _loaded(path, path.stat().st_mtime_ns)
        except OSError as error:
            raise AgentError(
                ErrorCode.UNKNOWN_MOVE, f"Cannot read the {self._kind} {name!r}: {error.strerror}."
            ) from error


def load_recorded_move(path: Path) -> RecordedMove:
    """Reads a file of the form `{"description", "time": [s], "set_target_data": [{"head", "antennas", "body_yaw"}]}`.

    `head` is a 4x4 transform (m), as nested lists or as 16 numbers in row-major order. `antennas` are right and left
    (rad). `body_yaw` is in rad and defaults to 0. Times are relative to the first one.

    Raises:
        AgentError: `INVALID_GOAL` if the file is unreadable, larger than `LARGEST_FILE`, or does not have this form;
            `NOT_FINITE`; `NOT_RIGID`; `OUT_OF_ENVELOPE` if a posture is far outside the envelope. Each error names the
            file and, for a posture, its location in the file.
    """
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise AgentError(ErrorCode.INVALID_GOAL, f"{path.name} is larger than {LARGEST_FILE / 1e6:.0f} MB.")
        recording = _Recording.model_validate_json(path.read_bytes())
    except OSError as error:
        raise AgentError(ErrorCode.INVALID_GOAL, f"Cannot read {path.name}: {error.strerror}.") from error
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"]) or "the file"
        raise AgentError(
            ErrorCode.INVALID_GOAL, f"{path.name} is not a recorded move: {where}: {first['msg']}."
        ) from None
    times = _times(path, recording)
    values = [_coordinates(path, number, frame) for number, frame in enumerate(recording.set_target_data)]
    return RecordedMove(recording.description, times, np.array(values))


@lru_cache(maxsize=64)
def _loaded(path: Path, _changed: int) -> RecordedMove:
    """Loads a recorded move, or returns it from a cache unless the file has changed.

    The key of the cache includes the modification time. Loading a long file takes a few tenths of a second.
    """
    return load_recorded_move(path)


class _Frame(BaseModel):
    head: list[float] | list[list[float]]
    antennas: tuple[float, float]
    body_yaw: float = 0.0


class _Recording(BaseModel):
    model_config = ConfigDict(extra="ignore")

    description: str
    time: list[float]
    set_target_data: list[_Frame]


def _times(path: Path, recording: _Recording) -> Vector:
    times = np.array(recording.time, dtype=float)
    if not np.isfinite(times).all():
        raise AgentError(ErrorCode.NOT_FINITE, f"{path.name}: a time is not finite.")
    if len(times) != len(recording.set_target_data) or len(times) < 2 or np.any(np.diff(times) <= 0.0):
        message = f"{path.name} must contain at least two postures, each with a later time than the one before."
        raise AgentError(ErrorCode.INVALID_GOAL, message)
    return np.asarray(times - times[0])


def _coordinates(path: Path, number: int, frame: _Frame) -> Vector:
    where = f"{path.name}: set_target_data.{number}"
    head = _transform(where, frame)
    if not np.isfinite([*head.flat, *frame.antennas, frame.body_yaw]).all():
        raise AgentError(ErrorCode.NOT_FINITE, f"{where} contains a number that is not finite.")
    if not is_rotation(head[:3, :3]):
        raise AgentError(ErrorCode.NOT_RIGID, f"{where}.head is not a rotation and a translation.")
    values = coordinates(BodyPose(orthonormal(head), *frame.antennas, frame.body_yaw))
    for name, value, low, high in zip(NAMES, values, LOW, HIGH, strict=True):
        if not _PLAUSIBLE * low <= value <= _PLAUSIBLE * high:
            raise AgentError(ErrorCode.OUT_OF_ENVELOPE, f"{where}: {name} is {value:g}; the units are m and rad.")
    return values


def _transform(where: str, frame: _Frame) -> Matrix:
    try:
        return np.array(frame.head, dtype=float).reshape(4, 4)
    except ValueError:
        raise AgentError(ErrorCode.INVALID_GOAL, f"{where}.head is not a 4x4 transform.") from None
