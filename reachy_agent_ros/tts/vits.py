"""VITS network of a Piper voice, with streaming synthesis.

Piper's voices are VITS (Kim et al., "Conditional Variational Autoencoder with Adversarial Learning for End-to-End
Text-to-Speech", 2021): phonemes become a prior with one vector per frame, a flow converts the prior to the latent, and
a decoder converts the latent to sound. Flow and decoder are convolutions: a frame depends on a bounded number of frames
on either side, so both can process a part of a sentence with the same result as for the complete sentence.
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
"""Inputs of the network by name."""

PARTS = ("prior.onnx", "flow.onnx", "decoder.onnx")

FLOW_CONTEXT = 32
"""Receptive field of the flow on either side, frames: four couplings of four convolutions over five frames."""

DECODER_CONTEXT = 14
"""Receptive field of the decoder on either side for Piper's largest voices, frames; 11 for the others."""

FIRST_PIECE = 16
"""Length of the first piece, frames of 12 ms: delays the first sound, but must last until the next piece is ready."""

LONGEST_PIECE = 64
"""Maximum length of a piece, frames, except for the last, which may have 15 more: longer pieces save little repeated
work, and delay an interruption."""


class Vits(Protocol):
    """Protocol of networks that convert phonemes to audio."""

    def pieces(self, feeds: Feeds) -> Iterator[tuple[Floats, int]]:
        """Yields audio segments (about -1 to 1), each with the number of samples after the segment."""
        ...


class WholeVits:
    """Unmodified network, which outputs all audio in one segment.

    Args:
        path: ONNX file of the voice.
    """

    def __init__(self, path: Path) -> None:
        self._session = _session(path)

    def pieces(self, feeds: Feeds) -> Iterator[tuple[Floats, int]]:
        """Yields a single audio segment."""
        yield self._session.run(None, feeds)[0].reshape(-1), 0


class StreamedVits:
    """Network in three parts. The last two parts process one segment at a time.

    Args:
        folder: Folder with `PARTS`: phonemes to prior and mask, prior and mask to latent, all of shape [1, channels,
            frames], and latent to sound.
    """

    def __init__(self, folder: Path) -> None:
        self._prior, self._flow, self._decoder = (_session(folder / part) for part in PARTS)
        self._flow_inputs = [value.name for value in self._flow.get_inputs()]
        self._decoder_input = self._decoder.get_inputs()[0].name

    def pieces(self, feeds: Feeds) -> Iterator[tuple[Floats, int]]:
        """Yields audio segments, the first of them short. All segments together are the unmodified network's output."""
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
        """Extends the latent to at least `needed` frames. The second extension includes all remaining frames."""
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
    # Planning the reuse of memory would take two thirds of the loading time without a measurable benefit.
    return onnx_session(str(path), reuse_memory=False)
