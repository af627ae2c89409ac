import json
from pathlib import Path

import pytest

from reachy_agent_ros.cli import cli


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "state"
    folder.mkdir()
    (folder / "persona").write_text("performer\n")
    monkeypatch.setenv("REACHY_AGENT_STATE", str(folder))
    return folder


def test_backup_and_restore_print_results(state: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (state / "link").symlink_to("persona")
    assert cli.main(["backup", str(tmp_path / "file")]) == 0
    told = capsys.readouterr()
    assert told.out == f"{tmp_path / 'file'} contains 1 file, 0.0 MB. Only you can read it.\n"
    assert told.err == "Skipped link: not a regular file.\n"
    assert cli.main(["restore", str(tmp_path / "file")]) == 0
    assert "The previous state is in" in capsys.readouterr().out


def test_backup_prints_one_json_object(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["backup", str(tmp_path / "file"), "--json"]) == 0
    made = json.loads(capsys.readouterr().out)
    assert made["files"]["persona"]["size"] == len("performer\n")
    assert cli.main(["restore", str(tmp_path / "file"), "--json"]) == 0
    assert Path(json.loads(capsys.readouterr().out)["kept"]).is_dir()


def test_restore_of_invalid_backup_prints_one_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("no backup")
    assert cli.main(["restore", str(tmp_path / "file")]) == 1
    assert capsys.readouterr().err.startswith(f"reachy-agent restore: {tmp_path / 'file'} is damaged")
