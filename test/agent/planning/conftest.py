"""Fixtures for plans: a plan board with a temporary file."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.agent.planning_cases import WatchedBoard


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "plans.sqlite3"


@pytest.fixture
def board(path: Path) -> Iterator[WatchedBoard]:
    board = WatchedBoard(path)
    yield board
    board.store.close()
