"""The network of a Piper voice, from phonemes to sound in pieces.

Piper's voices are VITS (Kim et al., "Conditional Variational Autoencoder with Adversarial Learning for End-to-End
Text-to-Speech", 2021): phonemes become a prior of one vector a frame, a flow turns that into the latent, and a decoder
the latent into sound. Flow and decoder are convolutions: a frame depends on a bounded number of frames to either side,
so both can work on a part of the sentence and give what they give for the whole.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from onnxruntime import InferenceSession

from reachy_agent_ros.core.onnx_session import onnx_session

Floats = NDArray[np.float32]

Feeds = Mapping[str, NDArray[Any]]
"""The network's inputs by name."""

PARTS = ("prior.onnx", "flow.onnx", "decoder.onnx")

FLOW_CONTEXT = 32
"""Frames: four couplings of four convolutions over five frames see no further."""

DECODER_CONTEXT = 14
"""Frames that the decoder of Piper's largest voices sees to either side; the others see 11."""

FIRST_PIECE = 16
"""Frames of 12 ms in the first piece: the first sound waits for these, and they last until the next piece is there."""

LONGEST_PIECE = 64
"""Frames: more would save little of the work done twice, and whoever interrupts waits for a piece under way."""


class Vits(Protocol):
    """Turns phonemes into sound."""

    def pieces(self, feeds: Feeds) -> Iterator[tuple[Floats, int]]:
        """Pieces of sound as they are made, about -1..1, each with the number of samples that follow it."""
        ...


class WholeVits:
    """The network as it comes: all sound at once.

    Args:
        path: A voice's .onnx file.
    """

    def __init__(self, path: Path) -> None:
        self._session = _session(path)

    def pieces(self, feeds: Feeds) -> Iterator[tuple[Floats, int]]:
        """One piece."""
        yield self._session.run(None, feeds)[0].reshape(-1), 0


class StreamedVits:
    """The network in three parts, the last two of which work on a piece at a time.

    Args:
        folder: Holds `PARTS`: from the phonemes to the prior and its mask, from these two to the latent, all of shape
            [1, channels, frames], and from the latent to sound.
    """

    def __init__(self, folder: Path) -> None:
        self._prior, self._flow, self._decoder = (_session(folder / part) for part in PARTS)
        self._flow_inputs = [value.name for value in self._flow.get_inputs()]
        self._decoder_input = self._decoder.get_inputs()[0].name

    def pieces(self, feeds: Feeds) -> Iterator[tuple[Floats, int]]:
        """Pieces of sound, the first a short one. Joined they are what the whole network gives."""
        prior = self._prior.run(None, feeds)
        frames = prior[0].shape[-1]
        latent = np.zeros((1, 0, 0), np.float32)
        start, size = 0, FIRST_PIECE
        while start < frames:
            end = start + size if start + size + FIRST_PIECE <= frames else frames
            latent = self._extended(latent, prior, min(end + DECODER_CONTEXT, frames))
            sound = self._decoded(latent, start, end)
            yield sound, (frames - end) * (sound.size // (end - start))
            start, size = end, min(3 * size, LONGEST_PIECE)

    def _extended(self, latent: Floats, prior: list[Floats], needed: int) -> Floats:
        """The latent of at least `needed` frames: those alone at first, then all of them in one go."""
        ready, frames = latent.shape[-1], prior[0].shape[-1]
        if ready >= needed:
            return latent
        begin, end = max(0, ready - FLOW_CONTEXT), frames if ready else min(needed + FLOW_CONTEXT, frames)
        parts = {name: part[..., begin:end] for name, part in zip(self._flow_inputs, prior, strict=True)}
        flowed: Floats = self._flow.run(None, parts)[0][..., ready - begin :]
        return np.concatenate([latent, flowed], axis=-1) if ready else flowed[..., : needed if end < frames else end]

    def _decoded(self, latent: Floats, start: int, end: int) -> Floats:
        low, high = max(0, start - DECODER_CONTEXT), end + DECODER_CONTEXT
        part = latent[..., low:high]
        sound: Floats = self._decoder.run(None, {self._decoder_input: part})[0].reshape(-1)
        hop = sound.size // part.shape[-1]
        return sound[(start - low) * hop : (end - low) * hop]


def _session(path: Path) -> InferenceSession:
    # To plan the reuse of memory would take two thirds of the time to load, and saves nothing that can be measured.
    return onnx_session(str(path), reuse_memory=False)
