import numpy as np

from reachy_agent_ros.agent.memory.diversity import diverse


def unit(*values: float) -> np.ndarray:
    vector = np.zeros(384, np.float32)
    vector[: len(values)] = values
    return vector / np.linalg.norm(vector)


def test_the_best_comes_first_and_its_double_after_what_is_new() -> None:
    vectors = np.array([unit(1.0), unit(1.0, 0.01), unit(0.0, 1.0)])
    assert diverse(np.array([0.80, 0.79, 0.75]), vectors, 3) == [0, 2, 1]


def test_what_is_far_worse_does_not_win_by_being_different() -> None:
    vectors = np.array([unit(1.0), unit(1.0, 0.5), unit(-0.2, 1.0)])
    assert diverse(np.array([0.9, 0.8, 0.3]), vectors, 2) == [0, 1]


def test_no_more_than_there_are() -> None:
    assert diverse(np.array([0.5]), np.array([unit(1.0)]), 5) == [0]
    assert diverse(np.zeros(0), np.zeros((0, 384), np.float32), 5) == []
