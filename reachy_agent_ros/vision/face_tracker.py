"""Which face in this picture is which of the last one, and which of them the robot attends to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np

from reachy_agent_ros.core.pose import Matrix
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import Box, Detection
from reachy_agent_ros.vision.face_place import face_box, face_position
from reachy_agent_ros.vision.face_track import FaceTrack

LOST_AFTER = 2.0
"""s after which a face that is not seen any more is forgotten."""

SURE = 0.6
"""Confidence of a face that is attended to at once; of another it takes a second picture: ghosts seldom come twice."""

NEARER = 0.75
"""Another face must be this much nearer than the one attended to, else the gaze would wander between equals."""

LOYALTY = 0.3
"""s without a sight of the face attended to after which another one that is seen gets the attention."""

_LEAST_OVERLAP = 0.1
"""Intersection over union of a detection with where a face is expected, for it to be that face."""


class FaceTracker:
    """Follows every face in space, at constant velocity, so that turning the head moves none of them.

    In each picture the detections go to the faces they overlap most, as the head's pose lets them be expected there
    (Bewley et al., "Simple Online and Realtime Tracking", 2016, with a moving camera).
    """

    def __init__(self) -> None:
        self._tracks: list[FaceTrack] = []
        self._attended = ""
        self._numbers = itertools.count(1)
        self._now = -np.inf

    @property
    def tracks(self) -> Sequence[FaceTrack]:
        """Faces seen within the last `LOST_AFTER`, the ones seen longest first."""
        return tuple(self._tracks)

    @property
    def attended(self) -> FaceTrack | None:
        """The nearest face that is not a ghost.

        It remains the same one while it is seen and no other is clearly nearer, and when no other is seen until it is
        lost.
        """
        return next((track for track in self._tracks if track.name == self._attended), None)

    def update(self, faces: Sequence[Detection], intrinsics: Intrinsics, head: Matrix, stamp: float) -> None:
        """Takes in what was found in one picture.

        Args:
            faces: Detections, each with an area.
            intrinsics: Of the picture.
            head: 4x4 transform of `head` in `head_base` at the stamp, m.
            stamp: When the picture was taken, s. A picture that is not newer than the last one is ignored.
        """
        if stamp <= self._now:
            return
        self._now = stamp
        self._tracks = [track for track in self._tracks if stamp - track.seen <= LOST_AFTER]
        expected = [face_box(track.predicted(stamp), track.aspect, intrinsics, head) for track in self._tracks]
        pairs = _pairs(expected, [face.box for face in faces])
        for index, face in enumerate(faces):
            self._sight(face, pairs.get(index), intrinsics, head)
        self._attend()

    def _sight(self, face: Detection, track: int | None, intrinsics: Intrinsics, head: Matrix) -> None:
        position = face_position(face.box, intrinsics, head)
        aspect = (face.box.x1 - face.box.x0) / (face.box.y1 - face.box.y0)
        if track is None:
            name = f"face_{next(self._numbers)}"
            self._tracks.append(FaceTrack(name, position, np.zeros(3), aspect, face.confidence, self._now))
        else:
            self._tracks[track] = self._tracks[track].sighted(position, aspect, face.confidence, self._now)

    def _attend(self) -> None:
        current = self.attended
        nearest = min(filter(self._attractive, self._tracks), key=_distance, default=None)
        if nearest is not None and (
            current is None or self._now - current.seen > LOYALTY or _distance(nearest) < NEARER * _distance(current)
        ):
            self._attended = nearest.name

    def _attractive(self, track: FaceTrack) -> bool:
        return track.seen == self._now and (track.confidence >= SURE or track.sightings > 1)


def _pairs(expected: Sequence[Box | None], found: Sequence[Box]) -> dict[int, int]:
    """Track of each detection, by their indices: the pairs that overlap most first."""
    overlaps = sorted(
        (
            (box.overlap(face), track, index)
            for track, box in enumerate(expected)
            for index, face in enumerate(found)
            if box is not None
        ),
        reverse=True,
    )
    pairs: dict[int, int] = {}
    for overlap, track, index in overlaps:
        if overlap >= _LEAST_OVERLAP and index not in pairs and track not in pairs.values():
            pairs[index] = track
    return pairs


def _distance(track: FaceTrack) -> float:
    return float(np.linalg.norm(track.position))
