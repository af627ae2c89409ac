"""Fixture that provides a running agent to the tests of several commands."""

from collections.abc import Iterator

import pytest

from support.nodes.running_agent import CallTool, agent_process, agent_runs, tool_caller
from support.waiting import wait_until


@pytest.fixture(scope="session")
def _environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with agent_process(tmp_path_factory.mktemp("agent")) as environment:
        yield environment


@pytest.fixture
def agent(_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> Iterator[CallTool]:
    """Starts an agent. Returns a function that calls a tool in the same way as another program."""
    for name, value in _environment.items():
        monkeypatch.setenv(name, value)
    wait_until(agent_runs, "the agent")
    with tool_caller() as call:
        yield call
