import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.pose import Matrix, Vector, head_transform
from reachy_agent_ros.vision.camera import Intrinsics
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from reachy_agent_ros.vision.face_tracker import FACE_HEIGHT, LOST_AFTER, FaceTracker, face_box, face_position

INTRINSICS = Intrinsics(320, 240, 143.0)
LEVEL = np.eye(4)
PERIOD = 0.1
EYE_FORWARD, EYE_HEIGHT = 0.0395, 0.0525


def sight(x: float, y: float, z: float = 0.1, head: Matrix = LEVEL, confidence: float = 0.9) -> Detection:
    """Returns the exact detection of a face at a position (m) in `head_base`."""
    box = face_box(np.array([x, y, z]), 0.8, INTRINSICS, head)
    assert box is not None
    return Detection("face", confidence, box)


class Show:
    """Face tracker for tests. It receives a sequence of detections."""

    def __init__(self) -> None:
        self.tracker = FaceTracker()
        self.now = 10.0

    def picture(self, *faces: Detection, head: Matrix = LEVEL) -> str:
        """Updates the tracker with the detections in the next image.

        Returns the id of the face that the robot follows.
        """
        self.now += PERIOD
        self.tracker.update(faces, INTRINSICS, head, self.now)
        attended = self.tracker.attended
        return "" if attended is None else attended.name

    def names(self) -> list[str]:
        return [track.name for track in self.tracker.tracks]


def angles(limit: float) -> st.SearchStrategy[float]:
    return st.floats(-limit, limit)


def test_face_keeps_id_while_it_moves_and_head_turns() -> None:
    show = Show()
    for n in range(40):
        y, head = 0.4 * math.sin(0.15 * n), head_transform(yaw=0.5 * math.sin(0.4 * n), roll=0.2)
        assert show.picture(sight(0.9, y, head=head), head=head) == "face_1"
    assert show.tracker.attended is not None
    assert show.tracker.attended.position == pytest.approx([0.9, y, 0.1], abs=0.02)


@pytest.mark.slow
@given(
    st.floats(0.6, 2.0),
    st.floats(-0.3, 0.3),
    st.lists(st.tuples(st.booleans(), st.floats(-1.0, 1.0)), max_size=15),
)
def test_face_keeps_id_despite_missed_detections_and_jitter(
    distance: float, speed: float, pictures: list[tuple[bool, float]]
) -> None:
    show = Show()
    misses = 0
    for n, (there, jitter) in enumerate([(True, 0.0)] * 3 + pictures):
        misses = 0 if there or misses == 2 else misses + 1
        found = sight(distance, speed * PERIOD * n)
        moved = Detection("face", 0.9, BoundingBox(*(edge + jitter for edge in found.box)))
        show.picture(*([] if misses else [moved]))
    assert show.names() == ["face_1"]


@pytest.mark.slow
@given(st.lists(st.lists(st.tuples(st.floats(0.4, 2.0), st.floats(-0.5, 0.5), st.floats(0.3, 1.0)), max_size=4)))
def test_face_ids_are_unique_and_attended_face_is_tracked(
    pictures: list[list[tuple[float, float, float]]],
) -> None:
    show, gone = Show(), set[str]()
    before: set[str] = set()
    for faces in pictures:
        attended = show.picture(*(sight(x, x * y, confidence=confidence) for x, y, confidence in faces))
        names = set(show.names())
        gone |= before - names
        assert len(names) == len(show.names()) <= len(before) + len(faces)
        assert not names & gone
        assert attended in names | {""}
        assert sum(track.seen == show.now for track in show.tracker.tracks) == len(faces)
        before = names


def test_face_is_lost_after_two_seconds() -> None:
    show = Show()
    show.picture(sight(1.0, 0.0))
    for _ in range(round(LOST_AFTER / PERIOD) - 1):
        assert show.picture() == "face_1"
    show.now += PERIOD
    assert show.picture() == ""
    assert show.picture(sight(1.0, 0.0)) == "face_2"


def test_attention_goes_to_nearest_face_and_does_not_switch_to_equally_near_face() -> None:
    show = Show()
    assert show.picture(sight(1.5, -0.4), sight(1.0, 0.4)) == "face_2"
    assert show.picture(sight(0.9, -0.4), sight(1.0, 0.4)) == "face_2"


def test_attention_switches_to_clearly_nearer_face() -> None:
    show = Show()
    show.picture(sight(1.2, 0.4))
    assert show.picture(sight(1.2, 0.4), sight(0.6, -0.2)) == "face_2"


def test_attention_is_kept_only_during_short_loss_of_face() -> None:
    show = Show()
    show.picture(sight(1.0, 0.4))
    attended = [show.picture(sight(1.2, -0.4)) for _ in range(5)]
    assert attended == ["face_1"] * 3 + ["face_2"] * 2


def test_attention_goes_to_uncertain_face_at_second_detection() -> None:
    show = Show()
    assert show.picture(sight(1.0, 0.0, confidence=0.45)) == ""
    assert show.picture(sight(1.0, 0.0, confidence=0.45)) == "face_1"


def test_crossing_faces_keep_their_ids() -> None:
    show = Show()
    places: list[tuple[Vector, Vector]] = []
    for n in range(21):
        y = 0.4 - 0.04 * n
        places.append((np.array([1.0, y, 0.1]), np.array([1.6, -1.3 * y, 0.25])))
        show.picture(sight(*places[-1][0]), sight(*places[-1][1]))
    tracks = {track.name: track.position for track in show.tracker.tracks}
    assert tracks["face_1"] == pytest.approx(places[-1][0], abs=0.05)
    assert tracks["face_2"] == pytest.approx(places[-1][1], abs=0.05)


def test_face_tracker_ignores_old_image() -> None:
    show = Show()
    show.picture(sight(1.0, 0.0))
    show.tracker.update([], INTRINSICS, LEVEL, show.now - 5.0)
    show.tracker.update([sight(0.5, 0.3)], INTRINSICS, LEVEL, show.now)
    assert show.names() == ["face_1"]


def test_face_distance_is_computed_from_box_size() -> None:
    height = INTRINSICS.focal_length * FACE_HEIGHT / 0.8
    box = BoundingBox(150.0, 120.0 - height / 2.0, 170.0, 120.0 + height / 2.0)
    assert face_position(box, INTRINSICS, np.eye(4)) == pytest.approx([EYE_FORWARD + 0.8, 0.0, EYE_HEIGHT])


def test_left_and_up_in_image_correspond_to_robot_frame() -> None:
    _, y, z = face_position(BoundingBox(20.0, 20.0, 50.0, 60.0), INTRINSICS, np.eye(4))
    assert y > 0.0
    assert z > EYE_HEIGHT


@given(
    st.tuples(st.floats(20, 300), st.floats(20, 220)),
    st.floats(10, 150),
    st.floats(0.6, 1.0),
    st.tuples(angles(0.6), angles(0.6), angles(2.0), angles(0.03), angles(0.03)),
)
def test_face_box_round_trips_through_position(
    center: tuple[float, float], height: float, aspect: float, pose: tuple[float, ...]
) -> None:
    head = head_transform(*pose)
    (u, v), width = center, aspect * height
    box = BoundingBox(u - width / 2.0, v - height / 2.0, u + width / 2.0, v + height / 2.0)
    assert face_box(face_position(box, INTRINSICS, head), aspect, INTRINSICS, head) == pytest.approx(box)


def test_face_behind_camera_has_no_box() -> None:
    assert face_box(np.array([-1.0, 0.0, 0.0]), 0.8, INTRINSICS, np.eye(4)) is None
