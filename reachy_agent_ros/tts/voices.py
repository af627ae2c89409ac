"""Collection of named voices, and a cache for the audio of short phrases."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.voice import Piece, Piper, Voice, piper_config

MOST_LOADED = 3
"""Number of voices kept in memory in addition to the default one; each takes 0.1 GB."""

LONGEST_PHRASE = 3.0
"""Maximum duration of a cached phrase, s: longer phrases are rarely repeated."""

MOST_SOUND = 60.0
"""Total duration of cached phrases, s; the least recently used ones are dropped first."""


class Voices:
    """Collection of voices: a default voice, and the voices in a folder, which are loaded on first use.

    Args:
        default: Default voice.
        folder: Folder with Piper voices, as .onnx and .onnx.json files, not links; None for no other voices.
    """

    def __init__(self, default: Piper, folder: Path | None = None) -> None:
        self._default = default.name
        self._default_voice = PhraseCache(default)
        self._folder = folder
        self._loaded: OrderedDict[str, Voice] = OrderedDict()

    @property
    def default(self) -> Voice:
        """Default voice."""
        return self._default_voice

    @property
    def names(self) -> list[str]:
        """Names of all voices, with the default voice first. Reads the folder on every call."""
        others = [] if self._folder is None else [file.stem for file in self._folder.glob("*.onnx") if _described(file)]
        return [self._default, *sorted(set(others) - {self._default})]

    def check(self, name: str) -> None:
        """Checks that a voice exists. An empty name selects the default voice. Thread-safe.

        Raises:
            AgentError: `VOICE_UNAVAILABLE`.
        """
        names = self.names
        if name and name not in names:
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, f"Unknown voice {name!r}: expected {', '.join(names)}.")

    def language(self, name: str) -> str:
        """Returns the espeak name of a voice's language, without loading the voice.

        Raises:
            AgentError: `VOICE_UNAVAILABLE` if the voice does not exist or is not a Piper voice.
        """
        self.check(name)
        file = self._file(name)
        return self._default_voice.language if file is None else str(piper_config(file).espeak_voice)

    def load(self, name: str) -> Voice:
        """Returns a voice. Loads it on first use, which takes 1 to 2 s. Use from one thread.

        Raises:
            AgentError: `VOICE_UNAVAILABLE` if the voice does not exist; otherwise the errors of `Piper`.
        """
        self.check(name)
        file = self._file(name)
        if file is None:
            return self._default_voice
        if name not in self._loaded:
            self._loaded[name] = PhraseCache(Piper(file))
        self._loaded.move_to_end(name)
        while len(self._loaded) > MOST_LOADED:
            self._loaded.popitem(last=False)
        return self._loaded[name]

    def _file(self, name: str) -> Path | None:
        """Returns the file of an existing voice, or None for the default voice."""
        return None if name in ("", self._default) or self._folder is None else self._folder / f"{name}.onnx"


class PhraseCache:
    """Voice that caches the audio of short phrases, such as "Yes?" and "Okay.".

    Args:
        voice: Voice for phrases that are not cached.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._kept: OrderedDict[tuple[str, float], Samples] = OrderedDict()

    @property
    def name(self) -> str:
        """Name of the voice."""
        return self._voice.name

    @property
    def language(self) -> str:
        """Language of the voice."""
        return self._voice.language

    @property
    def sample_rate(self) -> int:
        """Sample rate (Hz)."""
        return self._voice.sample_rate

    @property
    def seconds(self) -> float:
        """Total duration (s) of cached phrases."""
        return sum(samples.size for samples in self._kept.values()) / self.sample_rate

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        """Yields the audio of `text`. Cached audio is yielded as one segment.

        Raises:
            AgentError: The errors of the voice.
        """
        key = (text, speed)
        kept = self._kept.get(key)
        if kept is not None:
            self._kept.move_to_end(key)
            yield Piece(kept)
            return
        made: list[Samples] = []
        for piece in self._voice.pieces(text, speed):
            made.append(piece.samples)
            yield piece
        self._keep(key, np.concatenate(made))  # not reached if the phrase was interrupted

    def _keep(self, key: tuple[str, float], samples: Samples) -> None:
        if samples.size > LONGEST_PHRASE * self.sample_rate:
            return
        self._kept[key] = samples
        while self.seconds > MOST_SOUND:
            self._kept.popitem(last=False)


def _described(file: Path) -> bool:
    description = Path(f"{file}.json")
    return description.is_file() and not (file.is_symlink() or description.is_symlink())
