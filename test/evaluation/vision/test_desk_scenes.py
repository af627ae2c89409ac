"""Ground truth of rendered scenes agrees with their geometry."""

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
def test_a_frame_has_the_size_asked_for_and_its_count(frames: list[LabeledFrame]) -> None:
    assert [frame.image.shape for frame in frames] == [(HEIGHT, WIDTH, 3)] * 9


@pytest.mark.nightly
def test_boxes_are_in_the_picture_and_shares_are_shares(frames: list[LabeledFrame]) -> None:
    truths = [truth for frame in frames for truth in frame.truths]
    assert truths
    for truth in truths:
        assert truth.label in KINDS
        assert 0 <= truth.box.x0 < truth.box.x1 <= WIDTH
        assert 0 <= truth.box.y0 < truth.box.y1 <= HEIGHT
        assert 0.0 < truth.visible <= 1.0


@pytest.mark.nightly
def test_the_middle_of_a_whole_thing_appears_in_its_box(scenes: DeskScenes, frames: list[LabeledFrame]) -> None:
    whole = [(frame, truth) for frame in frames for truth in frame.truths if truth.visible > 0.95]
    assert whole
    for frame, truth in whole:
        pixel = pixel_of((np.linalg.inv(frame.camera) @ np.append(truth.center, 1.0))[:3], scenes.intrinsics)
        assert pixel is not None
        assert truth.box.x0 < pixel[0] < truth.box.x1
        assert truth.box.y0 < pixel[1] < truth.box.y1


@pytest.mark.nightly
def test_things_lie_on_the_desk(frames: list[LabeledFrame]) -> None:
    for truth in (truth for frame in frames for truth in frame.truths):
        x, y, z = truth.center
        assert 0.2 < x < 0.95
        assert abs(y) < 0.4
        assert 0.02 < z < 0.07


@pytest.mark.nightly
def test_part_outside_picture_is_not_visible(frames: list[LabeledFrame]) -> None:
    cut = [
        truth
        for frame in frames
        for truth in frame.truths
        if truth.box.x0 == 0 or truth.box.x1 == WIDTH or truth.box.y1 == HEIGHT
    ]
    assert cut
    assert all(truth.visible < 1.0 for truth in cut)


@pytest.mark.nightly
def test_a_seed_says_what_is_made() -> None:
    made = []
    for _ in range(2):
        scenes = DeskScenes(seed=11, width=64, height=48)
        made.append(next(scenes.frames(1)))
        scenes.close()
    assert (made[0].image == made[1].image).all()
    assert [truth.box for truth in made[0].truths] == [truth.box for truth in made[1].truths]
