from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reachy_agent_ros.agent.permissions.condition import Condition

ENDS = st.none() | st.integers(-3, 3).map(float)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    if draw(st.booleans()):
        return Condition(one_of=draw(st.lists(st.integers(-3, 3).map(float), min_size=1)))
    ends = {name: draw(ENDS) for name in ("above", "at_least", "below", "at_most")}
    try:
        return Condition(**{name: end for name, end in ends.items() if end is not None})
    except ValidationError:
        return Condition(at_least=0.0)


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        (Condition(below=0.5), 0.5, False),
        (Condition(below=0.5), 0.49, True),
        (Condition(at_most=0.5), 0.5, True),
        (Condition(above=0.0, below=0.5), 0, False),
        (Condition(at_least=1.0), "1", None),
        (Condition(at_least=1.0), True, None),
        (Condition(one_of=[1.0]), True, False),
        (Condition(one_of=[True]), 1, False),
        (Condition(one_of=["all", 2.0]), 2, True),
        (Condition(one_of=["all"]), "al", False),
        (Condition(one_of=["all"]), ["all"], False),
    ],
)
def test_a_value_fulfils_a_condition_or_not(condition: Condition, value: Any, holds: bool | None) -> None:
    assert condition.holds(value) is holds


@pytest.mark.parametrize(
    "written",
    [{}, {"above": 1, "below": 1}, {"at_least": 2, "at_most": 1}, {"one_of": []}, {"one_of": [1], "below": 2},
     {"below": "1"}, {"below": float("nan")}, {"under": 1}, {"below": True}],
)  # fmt: skip
def test_a_condition_that_means_nothing_is_refused(written: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate(written)


@given(conditions(), conditions())
def test_what_a_covered_condition_lets_through_the_covering_one_does_too(one: Condition, other: Condition) -> None:
    values = [step / 2 for step in range(-10, 11)]
    if one.covers(other):
        assert all(one.holds(value) for value in values if other.holds(value))


@pytest.mark.parametrize(
    ("one", "other", "covers"),
    [
        (Condition(above=0.0), Condition(above=0.0), True),
        (Condition(at_least=0.0), Condition(above=0.0), True),
        (Condition(above=0.0), Condition(at_least=0.0), False),
        (Condition(at_most=1.0), Condition(below=1.0), True),
        (Condition(below=1.0), Condition(at_most=1.0), False),
        (Condition(above=0.0), Condition(above=1.0, below=2.0), True),
        (Condition(above=1.0, below=2.0), Condition(above=1.0), False),
        (Condition(above=1.0), Condition(below=2.0), False),
        (Condition(at_least=1.0), Condition(one_of=[1.0, 2.0]), True),
        (Condition(at_least=1.0), Condition(one_of=[1.0, "2"]), False),
        (Condition(one_of=["a", "b"]), Condition(one_of=["b"]), True),
        (Condition(one_of=["b"]), Condition(one_of=["a", "b"]), False),
        (Condition(one_of=[1.0]), Condition(at_least=1.0, at_most=1.0), False),
    ],
)
def test_a_condition_covers_what_is_nowhere_wider(one: Condition, other: Condition, covers: bool) -> None:
    assert one.covers(other) is covers


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_no_usual_number_is_in_no_closed_range(value: float) -> None:
    assert Condition(at_least=0.0, at_most=1.0).holds(value) is False


def test_of_two_ends_the_narrower_counts() -> None:
    both = Condition(above=0.0, at_least=1.0, below=3.0, at_most=2.0)
    assert [value for value in (0.0, 0.5, 1.0, 2.0, 2.5, 3.0) if both.holds(value)] == [1.0, 2.0]
    open_ends = Condition(above=1.0, at_least=1.0, below=2.0, at_most=2.0)
    assert [value for value in (1.0, 1.5, 2.0) if open_ends.holds(value)] == [1.5]


@pytest.mark.parametrize("written", [{"above": 1, "at_most": 1}, {"at_least": 1, "below": 1}, {"above": 2, "below": 1}])
def test_a_range_with_nothing_in_it_is_refused(written: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate(written)


def test_a_range_of_one_number_is_none_too_few() -> None:
    assert Condition(at_least=1.0, at_most=1.0).holds(1.0)
