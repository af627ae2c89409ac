from pathlib import Path

import pytest

from reachy_agent_ros.storage.backup.exchange import exchange


def test_two_folders_change_places(tmp_path: Path) -> None:
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "who").write_text(name)
    exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one" / "who").read_text() == "other"
    assert (tmp_path / "other" / "who").read_text() == "one"


def test_what_has_no_counterpart_stays(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    with pytest.raises(FileNotFoundError):
        exchange(tmp_path / "one", tmp_path / "other")
    assert (tmp_path / "one").is_dir()
