"""What the mind's tests share."""

import pytest

from reachy_agent_ros.nlu.reflex import Reflex
from reachy_agent_ros.nlu.vocabulary import Vocabulary
from support.agent.model_protocol import Protocol


@pytest.fixture(scope="session")
def reflex() -> Reflex:
    return Reflex(Vocabulary(("joy", "sadness", "surprise", "curiosity"), ("simple_nod", "dizzy_spin")))


@pytest.fixture(params=["native", "json_schema"])
def protocol(request: pytest.FixtureRequest) -> Protocol:
    return Protocol(request.param == "native")
