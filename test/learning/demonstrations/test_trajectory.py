import json
import math
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.demonstrations.trajectory import Trajectory, move_file, replayed
from reachy_agent_ros.motion.move_folder import load_recorded_move
from reachy_agent_ros.robot.coordinates import coordinates, posture
from reachy_agent_ros.robot.kinematics import BodyKinematics
from reachy_agent_ros.robot.pose_limits import ACCELERATION, HIGH, LOW, SPEED
from support.learning.shown import nod


def trajectory(rows: list[np.ndarray]) -> Trajectory:
    return Trajectory(np.arange(len(rows)) / 50.0, np.array(rows))


def test_replay_reproduces_demonstrated_motion() -> None:
    move = replayed(trajectory(nod()), "a nod")
    assert move.duration == pytest.approx(2.0)
    for time in (0.0, 0.5, 1.0, 2.0):
        assert np.allclose(coordinates(move.at(time)), nod()[round(50 * time)], atol=1e-9)


def test_error_for_motion_outside_envelope_states_time_and_excess() -> None:
    with pytest.raises(AgentError, match=r"At 1\.00 s head\.pitch is 50\.0 deg, 10\.0 deg beyond its limit of 40\.0"):
        replayed(trajectory(nod(degrees=50.0)), "a deep nod")


def test_rejects_replay_of_unreachable_posture() -> None:
    rows = nod()
    for row in rows:
        row[2] = 0.02 * row[4] / math.radians(15.0)
        row[3] = math.radians(35.0) * row[4] / math.radians(15.0)
    with pytest.raises(AgentError, match=r"At \d+\.\d\d s: ") as error:
        replayed(trajectory(rows), "too high")
    assert error.value.code is ErrorCode.UNREACHABLE


def test_replay_adjusted_to_limits_stays_within_all_limits() -> None:
    rows = nod(seconds=0.6, degrees=50.0)
    for row in rows:
        row[6] *= 20.0
    move = replayed(trajectory(rows), "a wild nod", followable=True)
    values = np.array([coordinates(move.at(time)) for time in np.arange(0.0, move.duration, 0.01)])
    assert (values >= LOW - 1e-9).all()
    assert (values <= HIGH + 1e-9).all()
    assert (np.abs(np.diff(values, axis=0)).max(axis=0) / 0.01 <= 1.02 * SPEED).all()
    assert (np.abs(np.diff(values, 2, axis=0)).max(axis=0) / 0.01**2 <= 1.1 * ACCELERATION).all()
    kinematics = BodyKinematics()
    assert all(kinematics.reaches(posture(row)) for row in values)


def test_rejects_replay_of_motion_that_is_too_long() -> None:
    with pytest.raises(AgentError, match="Trim it") as error:
        replayed(trajectory(nod(seconds=121.0)), "a long nod")
    assert error.value.code is ErrorCode.INVALID_GOAL


def test_hardware_bridge_reads_exported_move_file(tmp_path: Path) -> None:
    move = replayed(trajectory(nod()), "a nod")
    path = tmp_path / "nod.json"
    path.write_text(move_file(move))
    assert json.loads(path.read_text())["description"] == "a nod"
    assert np.allclose(load_recorded_move(path).keyframes, move.keyframes, atol=1e-6)
