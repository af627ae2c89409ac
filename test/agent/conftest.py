"""Fixtures for the tests of the agent."""

import gc
from collections.abc import Iterator

import pytest

from support.agent.model_protocol import Protocol


@pytest.fixture(scope="module", autouse=True)
def files_of_agents() -> Iterator[None]:
    """Closes the files of the agents of a module: 23 each, which reference cycles keep open.

    The tests of terminals use `select`, which accepts only descriptors below 1024.
    """
    yield
    gc.collect()


@pytest.fixture(params=["native", "json_schema"])
def protocol(request: pytest.FixtureRequest) -> Protocol:
    return Protocol(request.param == "native")
