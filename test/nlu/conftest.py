"""Fixtures for the intent recognition tests."""

import pytest

from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(scope="session")
def reflex() -> CommandRecognizer:
    return CommandRecognizer(Vocabulary(("joy", "sadness", "surprise", "curiosity"), ("simple_nod", "dizzy_spin")))
