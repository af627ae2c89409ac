from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage import database_file
from reachy_agent_ros.storage.database import Database, Format
from reachy_agent_ros.storage.file_lock import locked


def test_opening_database_fails_while_another_holds_its_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database_file, "OPENING_PATIENCE", 0.0)
    path, content = tmp_path / "x.db", Format("memory", "CREATE TABLE t (a);")
    lock = tmp_path / "x.db.lock"
    with locked(lock), pytest.raises(AgentError) as refused:
        Database(path, content)
    assert refused.value.code is ErrorCode.STORAGE_FAILED
    assert f"Another process or thread holds {lock}" in refused.value.message
    Database(path, content).close()
