"""Fixtures for the tests of the agent."""

import pytest

from support.agent.model_protocol import Protocol


@pytest.fixture(params=["native", "json_schema"])
def protocol(request: pytest.FixtureRequest) -> Protocol:
    return Protocol(request.param == "native")
