import pytest

from reachy_agent_ros.seeing.detection import Box, Detection
from training.desk_detector.evaluate import average_precision
from training.desk_detector.label import Label

DUCK = Label(2.0, 10.0, 10.0, 30.0, 30.0, 1.0, 1.0, 300.0)
HALF_DUCK = DUCK._replace(x0=60.0, x1=80.0, uncovered=0.5)


def claim(label: Label, confidence: float, kind: str = "duck") -> Detection:
    return Detection(kind, confidence, Box(label.x0, label.y0, label.x1, label.y1))


def precision(found: list[Detection], labels: list[Label], visible: float = 0.25) -> float:
    return average_precision([found], [labels], "duck", visible, 0.5)


def test_whoever_finds_everything_and_nothing_else_scores_one() -> None:
    assert precision([claim(DUCK, 0.9), claim(HALF_DUCK, 0.8)], [DUCK, HALF_DUCK]) == 1.0


def test_what_is_missed_costs_its_share() -> None:
    assert precision([claim(DUCK, 0.9)], [DUCK, HALF_DUCK]) == pytest.approx(0.5, abs=0.01)
    assert precision([], [DUCK]) == 0.0


def test_a_confident_mistake_costs_more_than_a_hesitant_one() -> None:
    mistake = DUCK._replace(x0=100.0, x1=120.0)
    assert precision([claim(DUCK, 0.9), claim(mistake, 0.1)], [DUCK]) == 1.0
    assert precision([claim(DUCK, 0.1), claim(mistake, 0.9)], [DUCK]) == pytest.approx(0.5)


def test_the_second_box_of_one_object_is_a_mistake() -> None:
    assert precision([claim(DUCK, 0.9), claim(DUCK, 0.95), claim(HALF_DUCK, 0.5)], [DUCK, HALF_DUCK]) < 1.0


def test_an_object_of_which_too_little_is_seen_counts_neither_way() -> None:
    assert precision([claim(DUCK, 0.5), claim(HALF_DUCK, 0.9)], [DUCK, HALF_DUCK], visible=0.6) == 1.0
    assert precision([claim(DUCK, 0.5)], [DUCK, HALF_DUCK], visible=0.6) == 1.0


def test_other_kinds_are_another_matter() -> None:
    assert precision([claim(DUCK, 0.5), claim(HALF_DUCK, 0.9, "apple")], [DUCK]) == 1.0
