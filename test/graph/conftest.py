"""One graph for the files of this folder that look at the whole of it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.nodes.started_graph import StartedGraph

ORDER = ("test_finding", "test_api_paths", "test_signals", "test_up")
"""The files that share the graph. They go on with what the files before them have left, as a person would, and the last
one takes the graph down: no other graph is slowed by it."""

BEHIND = "duck:-0.12:0.28"
"""Where the duck is put, m: 113 degrees to the left of where the robot looks first, and 30 degrees down."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Has the shared graph used by one file after the other."""
    places = [place for place, item in enumerate(items) if _shares(item)]
    in_order = sorted((items[place] for place in places), key=lambda item: ORDER.index(item.path.stem))
    for place, item in zip(places, in_order, strict=True):
        items[place] = item


def _shares(item: pytest.Item) -> bool:
    return item.path.parent.name == "graph" and item.path.stem in ORDER


@pytest.fixture(scope="session")
def _started() -> Iterator[list[StartedGraph]]:
    graphs: list[StartedGraph] = []
    yield graphs
    for graph in graphs:
        graph.close()


@pytest.fixture(scope="module")
def graph(_started: list[StartedGraph], tmp_path_factory: pytest.TempPathFactory) -> StartedGraph:
    """The graph, started again if it was taken down."""
    if not (_started and _started[-1].runs):
        settings = ("audio_sink:=none", f"objects:={BEHIND}")
        _started.append(StartedGraph(tmp_path_factory.mktemp("graph"), *settings))
    return _started[-1]
