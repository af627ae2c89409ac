import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.vision.detection import BoundingBox, Detection, strongest

detections = st.builds(
    lambda label, confidence, x, y, w, h: Detection(label, confidence, BoundingBox(x, y, x + w, y + h)),
    st.sampled_from("ab"),
    st.floats(0, 1),
    *[st.integers(0, 20)] * 2,
    *[st.integers(1, 20)] * 2,
)


def test_overlap_removal_keeps_most_confident_box_of_each_object() -> None:
    good = Detection("duck", 0.9, BoundingBox(10, 10, 30, 30))
    weak = Detection("duck", 0.5, BoundingBox(12, 10, 32, 30))
    other_kind = Detection("apple", 0.6, BoundingBox(12, 10, 32, 30))
    elsewhere = Detection("duck", 0.4, BoundingBox(50, 10, 70, 30))
    assert strongest([weak, elsewhere, good, other_kind]) == [good, other_kind, elsewhere]


@pytest.mark.slow
@given(st.lists(detections, max_size=12))
def test_overlap_removal_drops_only_box_that_overlaps_more_confident_box(found: list[Detection]) -> None:
    kept = strongest(found)
    assert sorted(kept, key=lambda one: -one.confidence) == kept
    for one in found:
        assert any(
            other.label == one.label and other.confidence >= one.confidence and one.box.overlap(other.box) >= 0.5
            for other in kept
        )
