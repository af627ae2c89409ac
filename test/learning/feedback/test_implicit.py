import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.feedback.implicit import (
    ImplicitCalibration,
    Observation,
    Repetition,
    Signal,
    fit_isotonic,
    implicit_judgment,
    likeness,
)
from reachy_agent_ros.learning.score import Sign

OBSERVATIONS = st.builds(
    Observation, st.just("Ada"), st.sampled_from(Signal), st.floats(0.0, 1.0), st.floats(-1.0, 1.0)
)


@pytest.mark.slow
@given(st.lists(OBSERVATIONS, max_size=60), st.sampled_from(Signal), st.floats(0.0, 1.0), st.floats(0.0, 1.0))
def test_implicit_rating_is_never_positive_and_decreases_with_signal_strength(
    seen: list[Observation], signal: Signal, one: float, other: float
) -> None:
    calibration = ImplicitCalibration(seen)
    weak, strong = (calibration.score(implicit_judgment(signal, s, person="Ada")) for s in sorted((one, other)))
    assert -1.0 <= strong.rating <= weak.rating + 1e-9
    assert weak.rating <= 0.0
    assert weak.sign in (Sign.NEGATIVE, Sign.NEUTRAL)
    assert 0.5 <= weak.confidence <= strong.confidence + 1e-9 <= 1.0 + 1e-9


def test_takeover_gets_lower_rating_than_interruption() -> None:
    calibration = ImplicitCalibration()
    takeover, interruption = (
        calibration.score(implicit_judgment(signal, 1.0)) for signal in (Signal.TAKEOVER, Signal.INTERRUPTION)
    )
    assert takeover.rating < interruption.rating < 0.0


def test_calibration_of_implicit_signals_approaches_observed_frequency_of_criticism() -> None:
    seen = [
        Observation("Ada", Signal.REPETITION, strength, -0.5 if number < 10 * strength else 0.5)
        for strength in (0.1, 0.5, 0.9)
        for number in range(10)
        for _ in range(30)
    ]
    calibration = ImplicitCalibration(seen)
    strong = calibration.score(implicit_judgment(Signal.REPETITION, 0.9, person="Ada"))
    assert strong.confidence == pytest.approx(0.9, abs=0.02)
    assert calibration.score(implicit_judgment(Signal.REPETITION, 0.1, person="Ada")).rating == 0.0


def test_silence_is_not_a_feedback_signal() -> None:
    assert {signal.value for signal in Signal} == {"repetition", "interruption", "takeover"}


def test_rejects_implicit_signal_strength_outside_range() -> None:
    with pytest.raises(AgentError) as error:
        implicit_judgment(Signal.TAKEOVER, 1.5)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    ("command", "again", "expected"),
    [("look left", "Look left", 1.0), ("look left", "look right", 1 / 3), ("look left", "", 0.0), ("", "", 0.0)],
)
def test_command_similarity_is_proportion_of_common_words(command: str, again: str, expected: float) -> None:
    assert likeness(command, again) == pytest.approx(expected)


def test_detects_repeated_command() -> None:
    repetition = Repetition()
    assert repetition.strength("a", "look at the apple") == 0.0
    assert repetition.strength("a", "Look at the apple") == 1.0
    assert 0.5 < repetition.strength("a", "look at the apple now") < 1.0
    assert repetition.strength("a", "dance") == 0.0


def test_detects_repeated_command_only_within_one_conversation() -> None:
    repetition = Repetition()
    repetition.strength("a", "dance")
    assert repetition.strength("b", "dance") == 0.0
    assert repetition.strength("a", "dance") == 1.0


def test_empty_text_is_not_a_repeated_command() -> None:
    repetition = Repetition()
    assert repetition.strength("a", "") == repetition.strength("a", "") == 0.0


POINTS = st.lists(st.tuples(st.floats(0.0, 1.0), st.floats(0.0, 1.0), st.floats(0.1, 10.0)), min_size=1, max_size=40)


@given(POINTS)
def test_isotonic_fit_is_monotonic_and_within_data_range(points: list[tuple[float, float, float]]) -> None:
    fit = fit_isotonic(points)
    assert np.all(np.diff(fit.heights) > 0.0)
    assert np.all(np.diff(fit.positions) >= -1e-12)
    low, high = min(height for _, height, _ in points), max(height for _, height, _ in points)
    assert low - 1e-9 <= fit.at(0.0) <= fit.at(1.0) <= high + 1e-9


def test_isotonic_fit_pools_adjacent_violators() -> None:
    fit = fit_isotonic([(0.0, 0.1, 1.0), (0.4, 0.6, 1.0), (0.6, 0.4, 1.0), (1.0, 0.9, 1.0)])
    assert fit.heights.tolist() == pytest.approx([0.1, 0.5, 0.9])
    assert fit.at(0.5) == pytest.approx(0.5)
    assert fit.at(-1.0) == pytest.approx(0.1)
