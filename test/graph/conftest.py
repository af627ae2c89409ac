from __future__ import annotations

from collections.abc import Iterator

import pytest
from running_graph import RunningGraph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningGraph]:
    """One graph for all tests of a module."""
    running = RunningGraph(tmp_path_factory.mktemp("graph"), "audio_sink:=none")
    yield running
    running.command("down")
