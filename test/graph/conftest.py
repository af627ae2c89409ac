"""Fixture with a separate running graph for each test file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.nodes.started_graph import StartedGraph


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StartedGraph]:
    """Running graph for all tests of a module."""
    running = StartedGraph(tmp_path_factory.mktemp("graph"), "audio_sink:=none")
    yield running
    running.close()
