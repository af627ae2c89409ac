import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.training.demonstrations import DemonstrationEpisode, joined


def zeros(rows: int, entries: int) -> np.ndarray:
    return np.zeros((rows, entries), np.float32)


@pytest.mark.parametrize(
    ("observations", "actions", "code"),
    [
        (zeros(3, 2), zeros(3, 1), ErrorCode.INVALID_GOAL),
        (zeros(1, 2), zeros(0, 1), ErrorCode.INVALID_GOAL),
        (zeros(4, 2), zeros(3, 1) + 1.5, ErrorCode.OUT_OF_ENVELOPE),
        (zeros(4, 2) + np.nan, zeros(3, 1), ErrorCode.NOT_FINITE),
    ],
)
def test_training_rejects_invalid_demonstration(observations: np.ndarray, actions: np.ndarray, code: ErrorCode) -> None:
    with pytest.raises(AgentError) as caught:
        DemonstrationEpisode(observations, actions)
    assert caught.value.code is code


def test_training_rejects_demonstrations_of_different_tasks() -> None:
    with pytest.raises(AgentError, match="different shapes"):
        joined([DemonstrationEpisode(zeros(4, 2), zeros(3, 1)), DemonstrationEpisode(zeros(4, 3), zeros(3, 1))])


def test_training_rejects_empty_list_of_demonstrations() -> None:
    with pytest.raises(AgentError) as caught:
        joined([])
    assert caught.value.code is ErrorCode.NO_DATA
