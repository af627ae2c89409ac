from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.understanding.expected_arguments import alternatives


def admits(name: str, notation: str, value: object) -> bool:
    return any(expected.admits(value) for expected in alternatives(name, notation) or ())


@given(st.integers(-180, 180), st.floats(-180.0, 180.0))
def test_expected_angle_has_tolerance_of_one_degree(said: int, turned: float) -> None:
    assume(abs(abs(said - turned) - 1.0) > 1e-6)
    assert admits("yaw_deg", str(said), turned) == (abs(said - turned) < 1.0)


def test_expected_count_must_match_exactly() -> None:
    assert admits("repetitions", "3", 3)
    assert not admits("repetitions", "3", 4)


def test_expected_range_includes_its_bounds() -> None:
    assert all(admits("yaw_deg", "-60..-10", yaw) for yaw in (-60, -35.0, -10))
    assert not any(admits("yaw_deg", "-60..-10", yaw) for yaw in (-60.5, -9.5, 35))


def test_argument_may_match_any_alternative() -> None:
    assert admits("left_deg", "30..180/-45", 90)
    assert admits("left_deg", "30..180/-45", -45)
    assert not admits("left_deg", "30..180/-45", -90)


def test_text_comparison_ignores_case_punctuation_and_articles() -> None:
    assert admits("name", "red cup/cup", "the Red cup")
    assert admits("name", "red cup/cup", "cup")
    assert not admits("name", "red cup/cup", "cupboard")
    assert admits("text", "hello my friend", "Hello, my friend!")


def test_boolean_does_not_match_number() -> None:
    assert admits("enabled", "true", True)
    assert not admits("enabled", "true", False)
    assert not admits("enabled", "true", 1)
    assert not admits("repetitions", "1", True)
