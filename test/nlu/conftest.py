"""What the tests of intents share."""

import pytest

from reachy_agent_ros.nlu.reflex import Reflex
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(scope="session")
def reflex() -> Reflex:
    return Reflex(Vocabulary(("joy", "sadness", "surprise", "curiosity"), ("simple_nod", "dizzy_spin")))
