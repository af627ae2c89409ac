import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path

import pytest

from reachy_agent_ros.agent.memory.entry import Entry, Kind
from reachy_agent_ros.agent.memory.recollection import Recollection
from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.core.errors import AgentError, ErrorCode

EPISODE = Entry(Kind.EPISODE, "Asked for a dance, danced.")

embedder = cache(SentenceEmbedder)


def made(folder: Path, embed: Callable[[], SentenceEmbedder] = embedder) -> Recollection:
    return Recollection(folder / "memory.db", folder / "notes", embed)


def test_before_it_is_open_it_knows_and_keeps_nothing(tmp_path: Path) -> None:
    recollection = made(tmp_path)
    recollection.keep(EPISODE)
    assert recollection.prompt("").text == ""
    recollection.close()


def test_what_is_kept_is_in_the_prompt_also_after_a_restart(tmp_path: Path) -> None:
    first = made(tmp_path)
    assert {"remember", "recall", "forget"} <= {tool.name for tool in first.open()}
    first.keep(EPISODE)
    first.close()
    second = made(tmp_path)
    second.open()
    assert "danced" in second.prompt("").text
    second.close()


def test_without_weights_it_has_no_tools_and_says_why(tmp_path: Path) -> None:
    def missing() -> SentenceEmbedder:
        raise AgentError(ErrorCode.MODEL_UNAVAILABLE, "The weights are not there.")

    recollection = made(tmp_path, missing)
    assert recollection.open() == []
    assert recollection.problem == "The weights are not there."


def test_a_problem_that_is_over_is_told_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reachy_agent_ros.storage.database_file.BUSY_TIMEOUT", 0.05)
    monkeypatch.setattr("reachy_agent_ros.storage.database.PATIENCE", 0.05)
    recollection = made(tmp_path)
    recollection.open()
    with closing(sqlite3.connect(tmp_path / "memory.db", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        recollection.keep(EPISODE)
        assert "another process" in recollection.problem
        other.execute("ROLLBACK")
    recollection.keep(EPISODE)
    assert recollection.problem == ""
    recollection.close()
