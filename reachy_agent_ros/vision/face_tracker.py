"""Face tracking: where each face is in space, which one it was in the picture before, and which gets the attention."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from reachy_agent_ros.core.pose import Matrix, Vector
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import Box, Detection
from reachy_agent_ros.vision.eye import HEAD_FROM_OPTICAL, pixel_of, ray_through

LOST_AFTER = 2.0
"""s after which a face that is not seen any more is forgotten."""

SURE = 0.6
"""Confidence of a face that is attended to at once; of another it takes a second picture: ghosts seldom come twice."""

NEARER = 0.75
"""Another face must be this much nearer than the one attended to, else the gaze would wander between equals."""

LOYALTY = 0.3
"""s without a sight of the face attended to after which another one that is seen gets the attention."""

FACE_HEIGHT = 0.2
"""Of a grown person from hairline to chin, m, good to a fifth. Directions hardly depend on it."""

_LEAST_OVERLAP = 0.1
"""Intersection over union of a detection with where a face is expected, for it to be that face."""

_COASTING = 0.3
"""s that an unseen face is thought to move on as it did; after that it waits."""

_TRUST = 0.8
"""How much of what a prediction missed by is the position's fault (an alpha-beta filter's alpha)."""

_AGILITY = 0.5
"""How much of it, over the time since then, is the velocity's (beta)."""

_NEAREST_DEPTH = 0.05
"""m; what is nearer to the eye, or behind it, is not projected."""


@dataclass(frozen=True)
class FaceTrack:
    """Where a face was when it was last seen, and how it moves. It knows no more of the person than that.

    Attributes:
        name: The same for as long as the face is followed, never used again.
        position: Of its middle, m in `head_base`.
        velocity: m/s.
        aspect: Width of its box as a part of the height.
        confidence: Of its last detection, 0..1.
        seen: When it was last seen, s.
        sightings: In how many pictures.
    """

    name: str
    position: Vector
    velocity: Vector
    aspect: float
    confidence: float
    seen: float
    sightings: int = 1

    def predicted(self, now: float) -> Vector:
        """Where it should be, m in `head_base`: it goes on at constant velocity, for a moment."""
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


def face_position(box: Box, intrinsics: Intrinsics, head: Matrix) -> Vector:
    """Middle of a face, m in `head_base`.

    Args:
        box: In the picture; it must have an area.
        intrinsics: Of the picture.
        head: 4x4 transform of `head` in `head_base` when the picture was taken, m.
    """
    depth = intrinsics.focal_length * FACE_HEIGHT / (box.y1 - box.y0)
    ray = ray_through(box.centre, intrinsics)
    point = np.append(ray * (depth / ray[2]), 1.0)
    return np.asarray((head @ HEAD_FROM_OPTICAL @ point)[:3])


def face_box(position: Vector, aspect: float, intrinsics: Intrinsics, head: Matrix) -> Box | None:
    """Where a face would appear, also outside the picture.

    Args:
        position: Of its middle, m in `head_base`.
        aspect: Its width as a part of its height.
        intrinsics: Of the picture.
        head: 4x4 transform of `head` in `head_base`, m.

    Returns:
        Its box; None where it is not in front of the eye.
    """
    point = np.linalg.inv(head @ HEAD_FROM_OPTICAL) @ np.append(position, 1.0)
    pixel = pixel_of(point[:3], intrinsics)
    if pixel is None or point[2] < _NEAREST_DEPTH:
        return None
    height = intrinsics.focal_length * FACE_HEIGHT / float(point[2])
    (u, v), width = pixel, aspect * height
    return Box(u - width / 2.0, v - height / 2.0, u + width / 2.0, v + height / 2.0)


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
