import os
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.move_folder import MoveFolder

MOVE = """{"description": "still", "time": [0, 1], "set_target_data": [
    {"head": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], "antennas": [0, 0], "body_yaw": 0},
    {"head": [1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1], "antennas": [0, 0], "body_yaw": 0}]}"""


def test_a_file_that_is_put_there_can_be_played_at_once(tmp_path: Path) -> None:
    folder = MoveFolder("recorded move", tmp_path)
    assert folder.names() == ()
    (tmp_path / "bow.json").write_text(MOVE)
    assert folder.names() == ("bow",)
    assert folder.move("bow").description == "still"


@pytest.mark.parametrize("name", ["", "wave", "../secret", "/etc/passwd", "bow.json", "sub/bow", "."])
def test_a_name_leads_nowhere_else(tmp_path: Path, name: str) -> None:
    (tmp_path / "moves").mkdir()
    (tmp_path / "moves" / "bow.json").write_text(MOVE)
    (tmp_path / "secret.json").write_text(MOVE)
    with pytest.raises(AgentError, match="There are: bow") as refused:
        MoveFolder("recorded move", tmp_path / "moves").move(name)
    assert refused.value.code is ErrorCode.UNKNOWN_MOVE


def test_a_folder_that_does_not_exist_is_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="none in"):
        MoveFolder("recorded move", tmp_path / "moves").move("bow")


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "bow.json"
    file.write_text(MOVE)
    folder = MoveFolder("recorded move", tmp_path)
    assert folder.move("bow") is folder.move("bow")
    file.write_text(MOVE.replace("still", "deep"))
    os.utime(file, ns=(0, 1))
    assert folder.move("bow").description == "deep"
