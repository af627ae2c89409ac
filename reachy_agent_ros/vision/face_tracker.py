"""Face tracking: where each face is in space, which face of the previous picture it is, and which one to attend to."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL, pixel_of, ray_through

LOST_AFTER = 2.0
"""Seconds without a sighting after which a face is forgotten."""

SURE = 0.6
"""Confidence from which a face is attended to at once; below it, only if seen twice: false detections seldom repeat."""

NEARER = 0.75
"""Distance of another face, as a share of the attended one's, below which it takes over; else the gaze would wander."""

LOYALTY = 0.3
"""Seconds without a sighting of the attended face after which another visible face takes over."""

FACE_HEIGHT = 0.2
"""Height of an adult's face from hairline to chin, m, within a fifth. Directions hardly depend on it."""

_LEAST_OVERLAP = 0.1
"""Least intersection over union of a detection with the expected box of a face, for it to be that face."""

_COASTING = 0.3
"""Seconds for which an unseen face is assumed to keep its velocity; after that it is assumed to stay."""

_TRUST = 0.8
"""Share of the prediction error that corrects the position (alpha of an alpha-beta filter)."""

_AGILITY = 0.5
"""Share of the prediction error, divided by the elapsed time, that corrects the velocity (beta)."""

_NEAREST_DEPTH = 0.05
"""m; points nearer to the eye than this, or behind it, are not projected."""


@dataclass(frozen=True)
class FaceTrack:
    """Where a face was when it was last seen, and how it moves. It holds nothing else about the person.

    Attributes:
        name: The same for as long as the face is tracked, never used again.
        position: Position of its middle, m in `head_base`.
        velocity: Velocity of its middle, m/s.
        aspect: Width of its box divided by the height.
        confidence: Confidence of its last detection, 0..1.
        seen: When it was last seen, s.
        sightings: Number of pictures in which it was seen.
    """

    name: str
    position: Vector
    velocity: Vector
    aspect: float
    confidence: float
    seen: float
    sightings: int = 1

    def predicted(self, now: float) -> Vector:
        """Expected position, m in `head_base`: the face keeps its velocity for a moment."""
        return np.asarray(self.position + self.velocity * min(now - self.seen, _COASTING))

    def sighted(self, position: Vector, aspect: float, confidence: float, now: float) -> FaceTrack:
        """The track with one more sighting; times must increase."""
        expected = self.predicted(now)
        missed = position - expected
        return replace(
            self,
            position=expected + _TRUST * missed,
            velocity=self.velocity + _AGILITY / (now - self.seen) * missed,
            aspect=aspect,
            confidence=confidence,
            seen=now,
            sightings=self.sightings + 1,
        )


class FaceTracker:
    """Tracks every face in space, at constant velocity, so that turning the head moves none of them.

    In each picture, detections are assigned to the faces whose expected boxes, given the head's pose, they overlap most
    (Bewley et al., "Simple Online and Realtime Tracking", 2016, with a moving camera).
    """

    def __init__(self) -> None:
        self._tracks: list[FaceTrack] = []
        self._attended = ""
        self._numbers = itertools.count(1)
        self._now = -np.inf

    @property
    def tracks(self) -> Sequence[FaceTrack]:
        """Faces seen within the last `LOST_AFTER` seconds, in the order in which they first appeared."""
        return tuple(self._tracks)

    @property
    def attended(self) -> FaceTrack | None:
        """The nearest face that is not a false detection; None if there is none.

        It remains the same face while it is seen and no other is clearly nearer, and until it is lost if no other is
        seen.
        """
        return next((track for track in self._tracks if track.name == self._attended), None)

    def update(self, faces: Sequence[Detection], intrinsics: Intrinsics, head: Matrix, stamp: float) -> None:
        """Updates the tracks with the faces of one picture.

        Args:
            faces: Detections, each with a nonzero area.
            intrinsics: Intrinsics of the picture.
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


def face_position(box: BoundingBox, intrinsics: Intrinsics, head: Matrix) -> Vector:
    """Position of the middle of a face, m in `head_base`.

    Args:
        box: Box of the face in the picture, with a nonzero area.
        intrinsics: Intrinsics of the picture.
        head: 4x4 transform of `head` in `head_base` when the picture was taken, m.
    """
    depth = intrinsics.focal_length * FACE_HEIGHT / (box.y1 - box.y0)
    ray = ray_through(box.centre, intrinsics)
    point = np.append(ray * (depth / ray[2]), 1.0)
    return np.asarray((head @ HEAD_FROM_OPTICAL @ point)[:3])


def face_box(position: Vector, aspect: float, intrinsics: Intrinsics, head: Matrix) -> BoundingBox | None:
    """Box in which a face would appear, which may be outside the picture.

    Args:
        position: Position of its middle, m in `head_base`.
        aspect: Its width divided by its height.
        intrinsics: Intrinsics of the picture.
        head: 4x4 transform of `head` in `head_base`, m.

    Returns:
        The box; None if the face is not in front of the eye.
    """
    point = np.linalg.inv(head @ HEAD_FROM_OPTICAL) @ np.append(position, 1.0)
    pixel = pixel_of(point[:3], intrinsics)
    if pixel is None or point[2] < _NEAREST_DEPTH:
        return None
    height = intrinsics.focal_length * FACE_HEIGHT / float(point[2])
    (u, v), width = pixel, aspect * height
    return BoundingBox(u - width / 2.0, v - height / 2.0, u + width / 2.0, v + height / 2.0)


def _pairs(expected: Sequence[BoundingBox | None], found: Sequence[BoundingBox]) -> dict[int, int]:
    """Index of the track of each detection, by the index of the detection; pairs that overlap most go first."""
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
