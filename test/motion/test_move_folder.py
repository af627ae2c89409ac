import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.pose import head_transform
from reachy_agent_ros.motion.move_folder import LARGEST_FILE, MoveFolder, load_recorded_move
from reachy_agent_ros.motion.recorded_move import RecordedMove
from reachy_agent_ros.robot.coordinates import coordinates

MOVE = """{"description": "still", "time": [0, 1], "set_target_data": [
    {"head": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], "antennas": [0, 0], "body_yaw": 0},
    {"head": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], "antennas": [0, 0], "body_yaw": 0}]}"""


def test_finds_move_file_added_after_start(tmp_path: Path) -> None:
    folder = MoveFolder("recorded move", tmp_path)
    assert folder.names() == ()
    (tmp_path / "bow.json").write_text(MOVE)
    assert folder.names() == ("bow",)
    assert folder.move("bow").description == "still"


@pytest.mark.parametrize("name", ["", "wave", "../secret", "/etc/passwd", "bow.json", "sub/bow", "."])
def test_move_name_cannot_escape_folder(tmp_path: Path, name: str) -> None:
    (tmp_path / "moves").mkdir()
    (tmp_path / "moves" / "bow.json").write_text(MOVE)
    (tmp_path / "secret.json").write_text(MOVE)
    with pytest.raises(AgentError, match="expected one of bow") as refused:
        MoveFolder("recorded move", tmp_path / "moves").move(name)
    assert refused.value.code is ErrorCode.UNKNOWN_MOVE


def test_missing_move_folder_has_no_moves(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="none in"):
        MoveFolder("recorded move", tmp_path / "moves").move("bow")


def test_rereads_changed_move_file(tmp_path: Path) -> None:
    file = tmp_path / "bow.json"
    file.write_text(MOVE)
    folder = MoveFolder("recorded move", tmp_path)
    assert folder.move("bow") is folder.move("bow")
    file.write_text(MOVE.replace("still", "deep"))
    os.utime(file, ns=(0, 1))
    assert folder.move("bow").description == "deep"


def recording(times: list[float], pitches: list[float]) -> dict[str, Any]:
    frames = [
        {"head": head_transform(pitch=pitch).tolist(), "antennas": [0.1, -0.1], "body_yaw": 0.2} for pitch in pitches
    ]
    return {"description": "test", "time": times, "set_target_data": frames}


def with_frame(**changes: Any) -> dict[str, Any]:
    content = recording([0.0, 1.0], [0.0, 0.1])
    content["set_target_data"][1].update(changes)
    return content


def loaded(folder: Path, content: object) -> RecordedMove:
    path = folder / "move.json"
    path.write_text(json.dumps(content))
    return load_recorded_move(path)


def test_reads_move_file_of_sdk(tmp_path: Path) -> None:
    move = loaded(tmp_path, recording([0.0, 0.5, 1.5], [0.0, 0.3, 0.1]))
    assert move.duration == 1.5
    assert np.allclose(coordinates(move.at(0.5))[4:], [0.3, -0.2, 0.2, 0.1, -0.1])


def test_keyframe_times_are_relative_to_first(tmp_path: Path) -> None:
    move = loaded(tmp_path, recording([1741966131.5, 1741966132.0], [0.1, 0.3]))
    assert move.duration == 0.5
    assert coordinates(move.at(0.0))[4] == pytest.approx(0.1)


def test_accepts_move_file_with_optional_and_additional_fields(tmp_path: Path) -> None:
    content = recording([0.0, 1.0], [0.0, 0.1])
    for frame in content["set_target_data"]:
        del frame["body_yaw"]
        frame["check_collision"] = False
        frame["head"] = np.array(frame["head"]).ravel().tolist()
    assert coordinates(loaded(tmp_path, content).at(1.0))[4] == pytest.approx(0.1)


@pytest.mark.parametrize(
    ("content", "code", "named"),
    [
        ({}, ErrorCode.INVALID_GOAL, "description"),
        ([], ErrorCode.INVALID_GOAL, "the file"),
        (recording([0.0], [0.0]), ErrorCode.INVALID_GOAL, "two postures"),
        (recording([0.0, 1.0, 1.0], [0.0, 0.1, 0.2]), ErrorCode.INVALID_GOAL, "each with a later time"),
        (recording([0.0, 1.0], [0.0, 0.1, 0.2]), ErrorCode.INVALID_GOAL, "each"),
        (with_frame(antennas=[0.1]), ErrorCode.INVALID_GOAL, "set_target_data.1.antennas"),
        (with_frame(head=[1.0, 2.0]), ErrorCode.INVALID_GOAL, "set_target_data.1.head"),
        (with_frame(head=[[1.0], [1.0, 2.0]]), ErrorCode.INVALID_GOAL, "set_target_data.1.head"),
        (with_frame(head=np.zeros((4, 4)).tolist()), ErrorCode.NOT_RIGID, "set_target_data.1.head"),
        (with_frame(body_yaw=float("nan")), ErrorCode.NOT_FINITE, "set_target_data.1"),
        (with_frame(antennas=[30.0, 0.0]), ErrorCode.OUT_OF_ENVELOPE, "set_target_data.1: antenna_right"),
        (with_frame(head=head_transform(x=10.0).tolist()), ErrorCode.OUT_OF_ENVELOPE, "head.x"),
        (recording([0.0, float("inf")], [0.0, 0.1]), ErrorCode.NOT_FINITE, "time"),
    ],
)
def test_error_for_invalid_move_file_names_invalid_field(
    tmp_path: Path, content: object, code: ErrorCode, named: str
) -> None:
    with pytest.raises(AgentError, match=named) as refused:
        loaded(tmp_path, content)
    assert refused.value.code is code


def test_rejects_too_large_move_file(tmp_path: Path) -> None:
    path = tmp_path / "move.json"
    with path.open("wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(AgentError, match="larger"):
        load_recorded_move(path)
