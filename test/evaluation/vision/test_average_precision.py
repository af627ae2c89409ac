import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.vision.average_precision import Target, average_precision, matches, mean_average_precision
from reachy_agent_ros.vision.detection import BoundingBox, Detection

HERE, NEARLY_HERE, THERE = BoundingBox(0, 0, 20, 20), BoundingBox(2, 0, 22, 20), BoundingBox(50, 50, 70, 70)


def duck(confidence: float, box: BoundingBox) -> Detection:
    return Detection("duck", confidence, box)


def test_average_precision_of_perfect_detections_is_one() -> None:
    assert average_precision([([duck(0.9, NEARLY_HERE)], [Target("duck", HERE)])], "duck") == pytest.approx(1.0)


def test_false_positive_lowers_score_only_with_higher_confidence() -> None:
    targets = [Target("duck", HERE)]
    assert average_precision([([duck(0.9, HERE), duck(0.5, THERE)], targets)], "duck") == pytest.approx(1.0)
    assert average_precision([([duck(0.5, HERE), duck(0.9, THERE)], targets)], "duck") == pytest.approx(0.5)


def test_duplicate_detection_is_a_false_positive() -> None:
    first = ([duck(0.9, HERE), duck(0.8, NEARLY_HERE)], [Target("duck", HERE)])
    second = ([duck(0.7, HERE)], [Target("duck", HERE)])
    assert average_precision([first, second], "duck") == pytest.approx(0.5 + 0.5 * 2 / 3)


def test_missed_objects_lower_recall() -> None:
    assert average_precision([([duck(0.9, HERE)], [Target("duck", HERE), Target("duck", THERE)])], "duck") == 0.5
    assert average_precision([([], [Target("duck", HERE)])], "duck") == 0.0


def test_detection_with_low_overlap_is_a_false_positive() -> None:
    assert average_precision([([duck(0.9, BoundingBox(10, 0, 30, 20))], [Target("duck", HERE)])], "duck") == 0.0


def test_ignored_objects_do_not_affect_score() -> None:
    targets = [Target("duck", HERE), Target("duck", THERE, counts=False)]
    for found in ([duck(0.5, HERE)], [duck(0.5, HERE), duck(0.9, THERE)]):
        assert average_precision([(found, targets)], "duck") == pytest.approx(1.0)


def test_mean_average_precision_weights_all_classes_equally() -> None:
    ducks = ([duck(0.9, HERE)] * 1, [Target("duck", HERE)])
    apples = ([], [Target("apple", HERE)] * 5)
    assert mean_average_precision([ducks, apples], ["duck", "apple"]) == pytest.approx(0.5)


def test_average_precision_without_targets_raises_error() -> None:
    with pytest.raises(ValueError, match="no duck"):
        average_precision([([duck(0.9, HERE)], [])], "duck")


boxes = st.builds(lambda x, y: BoundingBox(x, y, x + 20, y + 20), st.integers(0, 60), st.integers(0, 60))


@pytest.mark.slow
@given(st.lists(st.tuples(st.floats(0.1, 1.0), boxes), max_size=8), st.lists(boxes, min_size=1, max_size=4))
def test_precision_is_between_0_and_1_and_matches_each_target_once(
    found: list[tuple[float, BoundingBox]], there: list[BoundingBox]
) -> None:
    detections = [duck(*one) for one in found]
    targets = [Target("duck", box) for box in there]
    assert 0.0 <= average_precision([(detections, targets)], "duck") <= 1.0
    given_out = [target for _, target in matches(detections, targets, "duck") if target is not None]
    assert all(given_out.count(target) <= targets.count(target) for target in given_out)
