from hypothesis import assume, given
from hypothesis import strategies as st

from evaluation.understanding.expected_arguments import alternatives


def admits(name: str, notation: str, value: object) -> bool:
    return any(expected.admits(value) for expected in alternatives(name, notation) or ())


@given(st.integers(-180, 180), st.floats(-180.0, 180.0))
def test_an_angle_that_was_said_holds_to_a_degree(said: int, turned: float) -> None:
    assume(abs(abs(said - turned) - 1.0) > 1e-6)
    assert admits("yaw_deg", str(said), turned) == (abs(said - turned) < 1.0)


def test_a_count_that_was_said_holds_exactly() -> None:
    assert admits("repetitions", "3", 3)
    assert not admits("repetitions", "3", 4)


def test_a_range_ends_where_it_says() -> None:
    assert all(admits("yaw_deg", "-60..-10", yaw) for yaw in (-60, -35.0, -10))
    assert not any(admits("yaw_deg", "-60..-10", yaw) for yaw in (-60.5, -9.5, 35))


def test_any_alternative_is_good() -> None:
    assert admits("left_deg", "30..180/-45", 90)
    assert admits("left_deg", "30..180/-45", -45)
    assert not admits("left_deg", "30..180/-45", -90)


def test_words_are_compared_as_they_sound() -> None:
    assert admits("name", "red cup/cup", "the Red cup")
    assert admits("name", "red cup/cup", "cup")
    assert not admits("name", "red cup/cup", "cupboard")
    assert admits("text", "hello my friend", "Hello, my friend!")


def test_true_is_neither_false_nor_one() -> None:
    assert admits("enabled", "true", True)
    assert not admits("enabled", "true", False)
    assert not admits("enabled", "true", 1)
    assert not admits("repetitions", "1", True)
