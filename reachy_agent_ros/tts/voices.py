"""The voices there are, by name."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.voice import Piece, Piper, Voice, piper_config

MOST_LOADED = 3
"""Voices kept in memory besides the default one, at a tenth of a gigabyte each."""

LONGEST_PHRASE = 3.0
"""Seconds of sound: what is longer is seldom said twice."""

MOST_SOUND = 60.0
"""Seconds of sound that are kept; what was not said for the longest time goes first."""


class Voices:
    """A default voice, and those of a folder, which are loaded when they are first asked for.

    Args:
        default: What is spoken with if nothing else is asked for.
        folder: Holds Piper voices, .onnx files with their .onnx.json beside them, no links; None for no others.
    """

    def __init__(self, default: Piper, folder: Path | None = None) -> None:
        self._default = default.name
        self._default_voice = PhraseCache(default)
        self._folder = folder
        self._loaded: OrderedDict[str, Voice] = OrderedDict()

    @property
    def default(self) -> Voice:
        """What is spoken with if nothing else is asked for."""
        return self._default_voice

    @property
    def names(self) -> list[str]:
        """Of all voices, the default one first; the folder is looked into at every call."""
        others = [] if self._folder is None else [file.stem for file in self._folder.glob("*.onnx") if _described(file)]
        return [self._default, *sorted(set(others) - {self._default})]

    def check(self, name: str) -> None:
        """Checks that there is such a voice, in any thread; an empty name is the default's.

        Raises:
            AgentError: `VOICE_UNAVAILABLE`.
        """
        names = self.names
        if name and name not in names:
            raise AgentError(ErrorCode.VOICE_UNAVAILABLE, f"No voice {name!r}. There are: {', '.join(names)}.")

    def language(self, name: str) -> str:
        """What a voice speaks, as espeak names it, without loading it.

        Raises:
            AgentError: `VOICE_UNAVAILABLE`: there is none, or it is no Piper voice.
        """
        self.check(name)
        file = self._file(name)
        return self._default_voice.language if file is None else str(piper_config(file).espeak_voice)

    def load(self, name: str) -> Voice:
        """The voice of that name. Loading one takes a second or two; serves one thread.

        Raises:
            AgentError: `VOICE_UNAVAILABLE`: there is none, or it is no Piper voice.
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
        """Where a voice that there is lies; None for the default one."""
        return None if name in ("", self._default) or self._folder is None else self._folder / f"{name}.onnx"


class PhraseCache:
    """A voice that makes the sound of a short phrase once: "Yes?" and "Okay." then cost nothing.

    Args:
        voice: Makes what is not there.
    """

    def __init__(self, voice: Voice) -> None:
        self._voice = voice
        self._kept: OrderedDict[tuple[str, float], Samples] = OrderedDict()

    @property
    def name(self) -> str:
        """The voice's."""
        return self._voice.name

    @property
    def language(self) -> str:
        """The voice's."""
        return self._voice.language

    @property
    def sample_rate(self) -> int:
        """Hz."""
        return self._voice.sample_rate

    @property
    def seconds(self) -> float:
        """Of sound that are kept."""
        return sum(samples.size for samples in self._kept.values()) / self.sample_rate

    def pieces(self, text: str, speed: float = 1.0) -> Iterator[Piece]:
        """The sound of `text`: in one piece if it is kept, else as the voice makes it.

        Raises:
            AgentError: As the voice does.
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
        self._keep(key, np.concatenate(made))  # not reached where the phrase was broken off

    def _keep(self, key: tuple[str, float], samples: Samples) -> None:
        if samples.size > LONGEST_PHRASE * self.sample_rate:
            return
        self._kept[key] = samples
        while self.seconds > MOST_SOUND:
            self._kept.popitem(last=False)


def _described(file: Path) -> bool:
    description = Path(f"{file}.json")
    return description.is_file() and not (file.is_symlink() or description.is_symlink())
