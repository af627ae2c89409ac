"""Fixtures for the intent recognition tests."""

import pytest

from reachy_agent_ros.core.embedding import SentenceEmbedder
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.nlu.command_recognizer import CommandRecognizer
from reachy_agent_ros.nlu.free_phrasing import FreePhrasing
from reachy_agent_ros.nlu.templates.languages import TemplateLanguages, load_classifier
from reachy_agent_ros.nlu.vocabulary import Vocabulary


@pytest.fixture(scope="session")
def reflex() -> CommandRecognizer:
    return CommandRecognizer(Vocabulary(("joy", "sadness", "surprise", "curiosity"), ("simple_nod", "dizzy_spin")))


@pytest.fixture(scope="session")
def embedder() -> SentenceEmbedder:
    return SentenceEmbedder()


@pytest.fixture(scope="session")
def languages() -> TemplateLanguages:
    """The templates of all languages, and the classifier of intents."""
    return TemplateLanguages(Vocabulary(emotions(), dances()), classifier=load_classifier())


@pytest.fixture(scope="session")
def free(embedder: SentenceEmbedder, languages: TemplateLanguages) -> CommandRecognizer:
    """The recognizer of a running robot, which knows all emotions and dances."""
    vocabulary = Vocabulary(emotions(), dances())
    return CommandRecognizer(vocabulary, FreePhrasing(vocabulary, lambda: embedder), languages=languages)
