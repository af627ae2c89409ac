"""Tests that the robot and the training run the same network."""

import numpy as np
import pytest
import torch

from reachy_agent_ros.core.multilingual_embedding import MultilingualEmbedder
from reachy_agent_ros.nlu.templates.intent_classifier import FILE, TAGS, IntentClassifier, features_of
from reachy_agent_ros.nlu.templates.language import LANGUAGES, load_language
from reachy_agent_ros.nlu.templates.slot_finder import SlotFinder
from reachy_agent_ros.nlu.templates.tokens import tokens_of
from training.intents.network import IntentNetwork
from training.intents.sentences import Labeler
from training.intents.train import encoded
from training.stop.network import Words


@pytest.fixture(scope="module")
def embedder() -> MultilingualEmbedder:
    return MultilingualEmbedder()


@pytest.fixture(scope="module")
def network() -> IntentNetwork:
    """The network of the training with the weights of the robot."""
    with np.load(FILE) as file:
        arrays = {name: file[name] for name in file.files}
    intents = arrays.pop("labels")
    table = arrays.pop("table").astype(np.float32) * arrays.pop("scale")
    network = IntentNetwork(Words(), len(intents))
    weights = {name: torch.from_numpy(array.astype(np.float32)) for name, array in arrays.items()}
    network.load_state_dict({**weights, "table.weight": torch.from_numpy(table)})
    return network.eval()


@pytest.mark.parametrize("text", ["find my red mug, please", "turn left 30 degrees", "the train was late again!"])
def test_numpy_and_torch_give_same_probabilities_and_tags(
    network: IntentNetwork, embedder: MultilingualEmbedder, text: str
) -> None:
    language = load_language(LANGUAGES / "en")
    words = tokens_of(text, "en")
    found = SlotFinder(language.common, (), language.words).find([word.text for word in words if not word.is_mark])
    ours = IntentClassifier(embedder).classify(text, words, found)

    sentence = Labeler(language).labeled("none", "me", text)
    assert sentence is not None
    numbers, lists, _ = encoded(network.words, [sentence])
    with torch.no_grad():
        vectors = torch.from_numpy(embedder.embed([text]))
        scores, tags = network(numbers, lists, vectors, [torch.from_numpy(features_of(sentence.masked))])
    assert list(ours.probabilities.values()) == pytest.approx(torch.softmax(scores, 1)[0].tolist(), abs=1e-3)
    assert list(ours.tags) == [TAGS[tag] for tag in tags[0].argmax(1).tolist()]
