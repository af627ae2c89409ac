import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.motion.recorded_move import RecordedMove, load_recorded_move
from reachy_agent_ros.robot.coordinates import coordinates


def recording(times: list[float], pitches: list[float]) -> dict[str, object]:
    frames = [
        {"head": head_transform(pitch=pitch).tolist(), "antennas": [0.1, -0.1], "body_yaw": 0.2} for pitch in pitches
    ]
    return {"description": "test", "time": times, "set_target_data": frames}


def loaded(folder: Path, content: object) -> RecordedMove:
    path = folder / "move.json"
    path.write_text(json.dumps(content))
    return load_recorded_move(path)


def test_a_file_of_the_sdk_is_read(tmp_path: Path) -> None:
    move = loaded(tmp_path, recording([0.0, 0.5, 1.5], [0.0, 0.3, 0.1]))
    assert move.duration == 1.5
    assert np.allclose(coordinates(move.at(0.5))[4:], [0.3, -0.2, 0.2, 0.1, -0.1])


@given(st.lists(st.floats(-0.6, 0.6), min_size=2, max_size=8))
def test_it_passes_through_every_posture_and_overshoots_none(pitches: list[float]) -> None:
    values = np.zeros((len(pitches), 9))
    values[:, 4] = pitches
    times = np.arange(len(pitches), dtype=float)
    move = RecordedMove("test", times, values)
    for index, pitch in enumerate(pitches):
        assert coordinates(move.at(times[index]))[4] == pytest.approx(pitch, abs=1e-9)
    for index in range(len(pitches) - 1):
        between = [coordinates(move.at(index + phase))[4] for phase in np.linspace(0.0, 1.0, 9)]
        assert min(pitches[index : index + 2]) - 1e-9 <= min(between)
        assert max(between) <= max(pitches[index : index + 2]) + 1e-9


def test_it_starts_and_ends_at_rest_and_stays_there(tmp_path: Path) -> None:
    move = loaded(tmp_path, recording([0.0, 1.0, 2.0], [0.0, 0.3, 0.6]))
    assert coordinates(move.at(1e-4))[4] == pytest.approx(0.0, abs=1e-6)
    assert np.allclose(coordinates(move.at(99.0)), coordinates(move.at(2.0)))
    assert np.allclose(coordinates(move.at(-1.0)), coordinates(move.at(0.0)))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ({}, ErrorCode.INVALID_GOAL),
        ([], ErrorCode.INVALID_GOAL),
        (recording([0.0], [0.0]), ErrorCode.INVALID_GOAL),
        (recording([0.0, 1.0, 1.0], [0.0, 0.1, 0.2]), ErrorCode.INVALID_GOAL),
        (recording([0.5, 1.0], [0.0, 0.1]), ErrorCode.INVALID_GOAL),
        (recording([0.0, 1.0], [0.0, 0.1, 0.2]), ErrorCode.INVALID_GOAL),
        (recording([0.0, float("inf")], [0.0, 0.1]), ErrorCode.NOT_FINITE),
    ],
)
def test_a_file_of_another_form_is_refused(tmp_path: Path, content: object, code: ErrorCode) -> None:
    with pytest.raises(AgentError) as refused:
        loaded(tmp_path, content)
    assert refused.value.code is code
