"""Recordings of people from packages: a novel, card games, loudspeaker tests and telephone prompts.

None of them belong to this repository. Debian's packages are fetched once, by the person who runs the evaluation.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import av
import numpy as np

from evaluation.speech.clip import Clip
from evaluation.speech.package_cache import debian_package
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.audio.sound_file import read_sound

SENTENCE = re.compile(r"[A-Z][A-Za-z' ,]+\.")
WORDS = range(4, 17)
"""Numbers of words of the telephone prompts to use: shorter ones are fragments, longer ones are menus."""


def human_clips() -> list[Clip]:
    """Returns every recording with its text."""
    return [*_read_aloud(), *_loudspeakers(), *_exchange()]


def _read_aloud() -> Iterator[Clip]:
    """Yields recordings with BSD licenses: five sentences by Jane Austen, four hands of cards, and a robot command.

    The sentences of Jane Austen are from LibriVox.
    """
    folder = debian_package("pocketsphinx-testdata") / "usr/share/pocketsphinx/test/data"
    for speaker, transcripts in (("librivox", "librivox/transcription"), ("cards", "cards/cards.transcription")):
        for line in (folder / transcripts).read_text().splitlines():
            found = re.fullmatch(r"<s> (.*?) *</s> \((.*)\)", line)
            # The official transcript of 002 has "four" in place of a breath.
            if found is not None and found[2] != "002":
                yield Clip(speaker, found[1], read_sound((folder / transcripts).parent / f"{found[2]}.wav"))
    raw = np.fromfile(folder / "goforward.raw", "<i2")
    yield Clip("goforward", "go forward ten meters", raw.astype(np.int16))


def _loudspeakers() -> Iterator[Clip]:
    """Yields recordings of two people who name the positions of loudspeakers."""
    alsa = debian_package("alsa-utils") / "usr/share/sounds/alsa"
    freedesktop = debian_package("sound-theme-freedesktop") / "usr/share/sounds/freedesktop/stereo"
    for file in sorted(alsa.glob("*_*.wav")):
        yield Clip("alsa", file.stem.replace("_", " "), read_sound(file))
    for file in sorted(freedesktop.glob("audio-channel-*.oga")):
        yield Clip("freedesktop", file.stem.removeprefix("audio-channel-").replace("-", " "), read_sound(file))


def _exchange() -> Iterator[Clip]:
    """Yields the telephone prompts that consist of one plain sentence.

    Allison Smith recorded them for Asterisk (CC-BY-SA).
    """
    sounds = debian_package("asterisk-core-sounds-en-g722") / "usr/share/asterisk/sounds/en_US_f_Allison"
    script = next(debian_package("asterisk-core-sounds-en").rglob("core-sounds-en.txt.gz"))
    lines = (line.split(": ", 1) for line in gzip.decompress(script.read_bytes()).decode().splitlines() if ": " in line)
    sentences = [
        (name, text.strip())
        for name, text in lines
        if SENTENCE.fullmatch(text.strip()) and len(text.split()) in WORDS and (sounds / f"{name}.g722").is_file()
    ]
    for name, text in sentences:
        yield Clip("exchange", text, _read_g722(sounds / f"{name}.g722"))


def _read_g722(file: Path) -> Samples:
    """Decodes a recording (16 kHz, mono) with a codec that libsndfile does not support."""
    with av.open(str(file), format="g722") as container:
        pieces = [frame.to_ndarray().reshape(-1) for frame in container.decode(audio=0)]
        assert container.streams.audio[0].rate == SAMPLE_RATE
    return np.concatenate(pieces).astype(np.int16)
