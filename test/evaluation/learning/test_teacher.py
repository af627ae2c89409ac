from __future__ import annotations

import numpy as np
import pytest

from evaluation.learning.teacher import Occasion, Teacher, TeacherRemark, remarks
from reachy_agent_ros.learning.correction.skills import LOOK_AT_OBJECT, SKILLS
from reachy_agent_ros.learning.score import Axis


def comments(missing: tuple[float, ...], count: int = 200, **moods: float) -> list[TeacherRemark | None]:
    teacher = Teacher(LOOK_AT_OBJECT, 1, **moods)
    return [teacher.comment(np.array(missing)) for _ in range(count)]


def said(missing: tuple[float, ...]) -> list[TeacherRemark]:
    return [one for one in comments(missing, silence=0.0, noise=0.0) if one is not None]


def test_teacher_has_at_least_150_unique_remarks_of_every_kind() -> None:
    texts = [remark.text for remark in remarks()]
    assert len(texts) == len(set(texts)) >= 150
    assert {remark.kind for remark in remarks()} == set(Occasion)


@pytest.mark.parametrize("kind", [Occasion.PARTIAL, Occasion.CORRECTION])
def test_remarks_can_correct_every_parameter_in_both_directions(kind: Occasion) -> None:
    sayable = {axis for remark in remarks() if remark.kind is kind for axis in remark.axes}
    for skill in SKILLS.values():
        for parameter in skill.parameters:
            assert sayable & set(parameter.more)
            assert sayable & set(parameter.less)


def test_teacher_praises_correct_value() -> None:
    assert {one.remark.kind for one in said((0.1, -0.2))} == {Occasion.PRAISE}


def test_teacher_corrects_largest_error_or_criticizes() -> None:
    found = said((-1.5, 0.3))
    assert {one.remark.kind for one in found} == {Occasion.CORRECTION, Occasion.CRITICISM}
    assert {one.remark.axes for one in found} == {(Axis.PITCH_UP,), ()}


def test_teacher_gives_partial_praise_for_small_error() -> None:
    found = said((0.0, 0.8))
    assert {one.remark.kind for one in found} == {Occasion.PARTIAL}
    assert {one.remark.axes for one in found} == {(Axis.YAW_LEFT,), ()}


def test_teacher_is_sometimes_silent_and_responds_with_delay() -> None:
    found = comments((2.0, 0.0), 1000)
    assert 0.06 < found.count(None) / 1000 < 0.14
    assert all(0.5 <= one.delay <= 4.0 for one in found if one is not None)


def test_teacher_sometimes_says_unrelated_things() -> None:
    found = comments((0.0, 0.0), 1000, silence=0.0)
    beside = [one for one in found if one is not None and one.remark.kind is not Occasion.PRAISE]
    assert 0.05 < len(beside) / 1000 < 0.13
    assert Occasion.NOISE in {one.remark.kind for one in beside}
