from evaluation.vision.average_precision import average_precision
from reachy_agent_ros.vision.detection import BoundingBox, Detection
from training.desk_detector.evaluate import example
from training.desk_detector.label import Label

DUCK = Label(2.0, 10.0, 10.0, 30.0, 30.0, 1.0, 1.0, 300.0)
HALF_DUCK = DUCK._replace(x0=60.0, x1=80.0, uncovered=0.8, inside=0.6)
SPECK = DUCK._replace(x0=90.0, x1=93.0, pixels=9.0)
FOUND = [Detection("duck", 0.9, BoundingBox(10.0, 10.0, 30.0, 30.0))]


def test_only_sufficiently_visible_objects_count_in_evaluation() -> None:
    _, targets = example(FOUND, [DUCK, HALF_DUCK, SPECK], 0.6)
    assert [target.counts for target in targets] == [True, False, False]
    assert [target.label for target in targets] == ["duck"] * 3


def test_ignored_objects_do_not_reduce_average_precision() -> None:
    assert average_precision([example(FOUND, [DUCK, HALF_DUCK, SPECK], 0.6)], "duck") == 1.0
    assert average_precision([example(FOUND, [DUCK, HALF_DUCK, SPECK], 0.25)], "duck") == 0.5
