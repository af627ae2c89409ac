import numpy as np

from reachy_agent_ros.agent.memory.embedder import Embedder, LateEmbedder
from reachy_agent_ros.core.embedding import SentenceEmbedder


def test_lazy_embedder_is_loaded_once_at_first_use(embedder: SentenceEmbedder) -> None:
    loaded: list[Embedder] = []

    def load() -> Embedder:
        loaded.append(embedder)
        return embedder

    late = LateEmbedder(load)
    assert loaded == []
    assert np.array_equal(late.embed(["tea"]), embedder.embed(["tea"]))
    late.embed(["coffee"])
    assert loaded == [embedder]
