"""Face tracking in 3D space, and selection of the face that the robot attends to."""

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
"""Time without a sighting after which a face is forgotten, s."""

SURE = 0.6
"""Confidence required to attend to a face at its first sighting instead of the second: false detections rarely
repeat."""

NEARER = 0.75
"""Ratio between the distances of another face and the attended one below which attention switches. The margin keeps
attention stable."""

LOYALTY = 0.3
"""Time without a sighting of the attended face after which another visible face takes over, s."""

FACE_HEIGHT = 0.2
"""Height of an adult's face from hairline to chin, m, within 20 %. Directions hardly depend on it."""

_LEAST_OVERLAP = 0.1
"""Minimum intersection over union of a detection and the expected box of the same face."""

_COASTING = 0.3
"""Time for which an unseen face is assumed to keep its velocity, s; after that it is assumed to stay."""

_TRUST = 0.8
"""Fraction of the prediction error that corrects the position (alpha of an alpha-beta filter)."""

_AGILITY = 0.5
"""Fraction of the prediction error, divided by the elapsed time, that corrects the velocity (beta)."""

_NEAREST_DEPTH = 0.05
"""Minimum distance in front of the camera at which points are projected, m."""


@dataclass(frozen=True)
class FaceTrack:
    """Track of a face: position and velocity at the last sighting. Contains no information about the person.

    Attributes:
        name: Identifier of the track, never reused.
        position: Center of the face in `head_base`, m.
        velocity: Velocity of the center in `head_base`, m/s.
        aspect: Width of the face's box divided by its height.
        confidence: Confidence of the last detection, 0 to 1.
        seen: Time of the last sighting, s.
        sightings: Number of images with a sighting.
    """

    name: str
    position: Vector
    velocity: Vector
    aspect: float
    confidence: float
    seen: float
    sightings: int = 1

    def predicted(self, now: float) -> Vector:
        """Predicts the position (m, in `head_base`). Assumes a velocity that is constant for a short time."""
        return np.asarray(self.position + self.velocity * min(now - self.seen, _COASTING))

    def sighted(self, position: Vector, aspect: float, confidence: float, now: float) -> FaceTrack:
        """Returns the track after an update with another sighting. The times of sightings must increase."""
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
    """Tracks faces in 3D space with a constant-velocity model. Motion of the robot's head has no effect on tracks.

    In each image, a detection is assigned to the face whose expected box, given the pose of the head, it overlaps most
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
        """Face that the robot attends to: the nearest face that is not a likely false detection; None without one.

        The attended face does not change while it is seen and no other face is clearly nearer. If no other face is
        seen, it does not change until it is lost.
        """
        return next((track for track in self._tracks if track.name == self._attended), None)

    def update(self, faces: Sequence[Detection], intrinsics: Intrinsics, head: Matrix, stamp: float) -> None:
        """Updates the tracks with the faces of one image.

        Args:
            faces: Detections, each with a nonzero area.
            intrinsics: Intrinsics of the image.
            head: 4x4 transform of `head` in `head_base` at the stamp, m.
            stamp: Time of the image, s. An image that is not newer than the last one is ignored.
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
    """Computes the position (m, in `head_base`) of the center of a face.

    Args:
        box: Box of the face in the image, with a nonzero area.
        intrinsics: Intrinsics of the image.
        head: 4x4 transform of `head` in `head_base` at the time of the image, m.
    """
    depth = intrinsics.focal_length * FACE_HEIGHT / (box.y1 - box.y0)
    ray = ray_through(box.center, intrinsics)
    point = np.append(ray * (depth / ray[2]), 1.0)
    return np.asarray((head @ HEAD_FROM_OPTICAL @ point)[:3])


def face_box(position: Vector, aspect: float, intrinsics: Intrinsics, head: Matrix) -> BoundingBox | None:
    """Computes the box at which a face appears in the image. The box may extend beyond the image.

    Args:
        position: Center of the face in `head_base`, m.
        aspect: Width of the face divided by its height.
        intrinsics: Intrinsics of the image.
        head: 4x4 transform of `head` in `head_base`, m.

    Returns:
        The box; None if the face is not in front of the camera.
    """
    point = np.linalg.inv(head @ HEAD_FROM_OPTICAL) @ np.append(position, 1.0)
    pixel = pixel_of(point[:3], intrinsics)
    if pixel is None or point[2] < _NEAREST_DEPTH:
        return None
    height = intrinsics.focal_length * FACE_HEIGHT / float(point[2])
    (u, v), width = pixel, aspect * height
    return BoundingBox(u - width / 2.0, v - height / 2.0, u + width / 2.0, v + height / 2.0)


def _pairs(expected: Sequence[BoundingBox | None], found: Sequence[BoundingBox]) -> dict[int, int]:
    """Assigns detections to tracks, the largest overlap first. Returns a map of detection indices to track indices."""
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
