"""Tests that the expected detections in rendered scenes match the geometry of the scenes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from evaluation.vision.desk_scenes import KINDS, DeskScenes, LabeledFrame
from reachy_agent_ros.vision.eye import pixel_of

WIDTH, HEIGHT = 320, 240


@pytest.fixture(scope="module")
def scenes() -> Iterator[DeskScenes]:
    made = DeskScenes(seed=3)
    yield made
    made.close()


@pytest.fixture(scope="module")
def frames(scenes: DeskScenes) -> list[LabeledFrame]:
    return list(scenes.frames(9))


@pytest.mark.nightly
def test_renders_requested_number_of_frames_in_requested_size(frames: list[LabeledFrame]) -> None:
    assert [frame.image.shape for frame in frames] == [(HEIGHT, WIDTH, 3)] * 9


@pytest.mark.nightly
def test_boxes_are_within_image_and_visibility_is_between_0_and_1(frames: list[LabeledFrame]) -> None:
    truths = [truth for frame in frames for truth in frame.truths]
    assert truths
    for truth in truths:
        assert truth.label in KINDS
        assert 0 <= truth.box.x0 < truth.box.x1 <= WIDTH
        assert 0 <= truth.box.y0 < truth.box.y1 <= HEIGHT
        assert 0.0 < truth.visible <= 1.0


@pytest.mark.nightly
def test_center_of_fully_visible_object_projects_into_its_box(scenes: DeskScenes, frames: list[LabeledFrame]) -> None:
    whole = [(frame, truth) for frame in frames for truth in frame.truths if truth.visible > 0.95]
    assert whole
    for frame, truth in whole:
        pixel = pixel_of((np.linalg.inv(frame.camera) @ np.append(truth.center, 1.0))[:3], scenes.intrinsics)
        assert pixel is not None
        assert truth.box.x0 < pixel[0] < truth.box.x1
        assert truth.box.y0 < pixel[1] < truth.box.y1


@pytest.mark.nightly
def test_objects_lie_on_desk(frames: list[LabeledFrame]) -> None:
    for truth in (truth for frame in frames for truth in frame.truths):
        x, y, z = truth.center
        assert 0.2 < x < 0.95
        assert abs(y) < 0.4
        assert 0.02 < z < 0.07


@pytest.mark.nightly
def test_object_cut_by_image_border_is_not_fully_visible(frames: list[LabeledFrame]) -> None:
    cut = [
        truth
        for frame in frames
        for truth in frame.truths
        if truth.box.x0 == 0 or truth.box.x1 == WIDTH or truth.box.y1 == HEIGHT
    ]
    assert cut
    assert all(truth.visible < 1.0 for truth in cut)


@pytest.mark.nightly
def test_same_seed_generates_same_scene() -> None:
    made = []
    for _ in range(2):
        scenes = DeskScenes(seed=11, width=64, height=48)
        made.append(next(scenes.frames(1)))
        scenes.close()
    assert (made[0].image == made[1].image).all()
    assert [truth.box for truth in made[0].truths] == [truth.box for truth in made[1].truths]
