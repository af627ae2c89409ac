"""Fixtures with a verifier that uses a real sandbox, a broker and a simulated robot."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tool_generation.broker.fetcher import Fetcher
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.verification.verifier import Verifier


@pytest.fixture(scope="session")
def sandbox() -> Iterator[Sandbox]:
    try:
        opened = open_sandbox()
    except AgentError as error:
        pytest.skip(error.message)
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def prover(sandbox: Sandbox) -> Iterator[Verifier]:
    prover = Verifier(sandbox, Fetcher())
    yield prover
    prover.close()
