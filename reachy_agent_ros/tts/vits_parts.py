"""Division of a Piper voice's network into parts for streaming."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnx
from onnx.utils import Extractor

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.core.onnx_session import ONNX_ERRORS
from reachy_agent_ros.core.weights import check_sum_beside
from reachy_agent_ros.tts.vits import PARTS, Feeds, StreamedVits, WholeVits

INPUTS = ["input", "input_lengths", "scales"]
"""Inputs of a voice with one speaker; with several, the speaker is an input of every part."""

DECODER = "/dec/"
DURATIONS = "/dp/"
"""Name prefixes of the decoder and the duration predictor in Piper's exports."""

TOLERANCE = 1e-3
"""Maximum difference between the sound of the parts and of the complete network, as a fraction of full scale."""


class NotDivisibleError(Exception):
    """Error for a network that cannot be divided into parts. The message states the reason."""


@dataclass(frozen=True)
class _Cuts:
    """Names of the values at which the network is divided into parts."""

    prior: str
    mask: str
    latent: str
    sound: str


def vits_parts(path: Path, digest: str, cache: Path) -> StreamedVits:
    """Loads the voice at `path` as separate network parts. Creates the parts on first use and caches them.

    Args:
        path: ONNX file of the voice.
        digest: SHA-256 of the file, which names the parts' folder.
        cache: Cache folder, created if missing. Several processes may use it at once.

    Raises:
        NotDivisibleError: The file is not a VITS network with one speaker as exported by Piper, its parts produce a
            different sound, or they cannot be stored.
        Exception: One of `ONNX_ERRORS` if the file is not a network.
    """
    folder = cache / digest
    try:
        if not folder.exists():
            _make(path, folder)
        try:
            return _loaded(folder)
        except (AgentError, *ONNX_ERRORS):  # missing or damaged files
            shutil.rmtree(folder)
            _make(path, folder)
            return _loaded(folder)
    except OSError as error:
        raise NotDivisibleError(f"cannot store the parts of the network in {cache}: {error.strerror}") from error


def _loaded(folder: Path) -> StreamedVits:
    for name in PARTS:
        check_sum_beside(folder / name)
    return StreamedVits(folder)


def _make(path: Path, folder: Path) -> None:
    """Creates the network parts in a temporary folder, then renames it, so that no incomplete folder is used."""
    whole = WholeVits(path)
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=".draft", dir=folder.parent))
    try:
        _cut(path, draft)
        _compare(whole, StreamedVits(draft))
        try:
            draft.rename(folder)
        except OSError:
            if not folder.exists():  # else another process was faster, with the same result
                raise
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _cut(path: Path, folder: Path) -> None:
    model = onnx.load(str(path))
    cuts = _cuts(model.graph)
    extractor = Extractor(model)
    prior = [cuts.prior, cuts.mask]
    for name, inputs, outputs in zip(
        PARTS, (INPUTS, prior, [cuts.latent]), (prior, [cuts.latent], [cuts.sound]), strict=True
    ):
        part = extractor.extract_model(inputs, outputs).SerializeToString()
        _write(folder / name, part)
        _write(folder / f"{name}.sha256", hashlib.sha256(part).hexdigest().encode())


def _write(path: Path, content: bytes) -> None:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())  # a folder that survives a power failure must not contain empty files


def _compare(whole: WholeVits, streamed: StreamedVits) -> None:
    """Checks that the complete network and its parts produce the same audio when noise is disabled."""
    count = 50
    feeds: Feeds = {
        "input": np.arange(count, dtype=np.int64)[None] % 32,
        "input_lengths": np.array([count], np.int64),
        "scales": np.array([0.0, 1.0, 0.0], np.float32),
    }
    one, other = (np.concatenate([sound for sound, _ in vits.pieces(feeds)]) for vits in (whole, streamed))
    if one.shape != other.shape or np.abs(one - other).max() > TOLERANCE:
        raise NotDivisibleError("the parts of the network do not reproduce the audio of the complete network")


def _cuts(graph: onnx.GraphProto) -> _Cuts:
    """Finds the names of the values at which the network is divided: prior, mask and latent.

    Uses the structure where possible, because the numbers in the names differ between voices.
    """
    if [value.name for value in graph.input] != INPUTS:
        raise NotDivisibleError("the network does not have the inputs of a VITS network with one speaker")
    latent = _only(_entering(graph, {node.name for node in graph.node if node.name.startswith(DECODER)}), "latent")
    noise = [node for node in graph.node if node.op_type == "RandomNormalLike" and not node.name.startswith(DURATIONS)]
    if len(noise) != 1:
        raise NotDivisibleError("the network does not sample its prior exactly once")
    noisy = _downstream(graph, noise[0].output[0])
    prior = next((node.output[0] for node in graph.node if node.name in noisy and node.op_type == "Add"), "")
    flow = _downstream(graph, prior) & _upstream(graph, latent)
    mask = _only([name for name in _entering(graph, flow) if name != prior], "mask")
    return _Cuts(prior, mask, latent, graph.output[0].name)


def _only(names: list[str], what: str) -> str:
    if len(names) != 1:
        raise NotDivisibleError(f"the network has {len(names)} candidates for its {what}: expected one")
    return names[0]


def _entering(graph: onnx.GraphProto, names: set[str]) -> list[str]:
    """Returns the non-constant inputs of the named nodes that come from other nodes."""
    constant = {value.name for value in graph.initializer}
    constant |= {node.output[0] for node in graph.node if node.op_type == "Constant"}
    inside = {output for node in graph.node if node.name in names for output in node.output}
    taken = [value for node in graph.node if node.name in names for value in node.input if value]
    return sorted({value for value in taken if value not in constant and value not in inside})


def _downstream(graph: onnx.GraphProto, value: str) -> set[str]:
    """Returns the names of the nodes that depend on `value`. Relies on the topological order of ONNX nodes."""
    return _reached(graph.node, value, forward=True)


def _upstream(graph: onnx.GraphProto, value: str) -> set[str]:
    """Returns the names of the nodes on which `value` depends."""
    return _reached(reversed(graph.node), value, forward=False)


def _reached(nodes: Iterable[onnx.NodeProto], value: str, *, forward: bool) -> set[str]:
    values, names = {value}, set()
    for node in nodes:
        taken, given = (node.input, node.output) if forward else (node.output, node.input)
        if not values.isdisjoint(taken):
            values.update(given)
            names.add(node.name)
    return names
