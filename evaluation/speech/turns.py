"""False cut-offs of turns at the same median delay, in comparison with silence alone; and completeness of texts.

Run `scripts/evaluate turns [FOLDER]`. The folder contains recordings of people, one turn per file, with the speaker's
name before the first hyphen of the file name. Without a folder, the turns are synthesized, with a pause in each. Such
pauses only show whether the cues work: their lengths are drawn at random (log-normal, median 0.5 s, as in Campione and
Véronis, A large-scale multilingual study of silent pause duration, 2002).

The lines of `chatterbot-corpus` are fetched once. A cut line may be complete by chance, so the share of unfinished
lines that are recognized is a lower limit.
"""

from __future__ import annotations

import argparse
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import onnxruntime

from bench.report import Figure, percentile, print_report
from evaluation.speech.clip import Clip
from evaluation.speech.pauses import Pause, PauseFinder, all_pauses, turns_in
from evaluation.speech.spoken_commands import CHAT, COMMANDS, SEED, at_16_khz
from evaluation.understanding.turn_texts import figures as text_figures
from evaluation.understanding.turn_texts import lines_of_corpus, written
from evaluation.understanding.turn_texts import prompts as texts_of_prompts
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.nlu.turn.completeness import CompletenessClassifier
from reachy_agent_ros.stt.endpointer import Endpointing
from reachy_agent_ros.stt.smart_turn import SmartTurn
from reachy_agent_ros.stt.turn_end import TurnEnd
from reachy_agent_ros.stt.voice_detectors import FRAME_SECONDS, Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.tts.voice import Piper

SHORTEST_PAUSE, MEDIAN_PAUSE, SPREAD = 0.25, 0.5, 0.6
"""Minimum and median length of synthesized pauses, s, and standard deviation of the logarithm."""

RESAMPLES = 2_000
"""Number of bootstrap samples of the speakers."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the folder of recordings."""
    parser.add_argument("folder", nargs="?", type=Path, help="folder of recordings, one turn per file")
    parser.add_argument("--prompts", type=Path, help="clone of rhasspy/piper-recording-studio, for more texts")


def main(as_json: bool, folder: Path | None = None, prompts: Path | None = None) -> int:
    """Measures texts and pauses. Always returns exit code 0."""
    completeness = CompletenessClassifier()
    figures = list(text_figures("sentences", written(), completeness.probability))
    figures += text_figures("corpus", list(lines_of_corpus()), completeness.probability)
    if prompts is not None:
        figures += text_figures("prompts", list(texts_of_prompts(prompts)), completeness.probability)
    recognizer = Whisper()
    recognizer.warm_up()
    finder = PauseFinder(Silero(), recognizer, SmartTurn())
    pauses = all_pauses(finder, synthesized_turns() if folder is None else turns_in(folder))
    print_report("turns", [*figures, *cut_offs(pauses, completeness.probability)], as_json)
    return 0


def synthesized_turns() -> list[Clip]:
    """Returns commands and sentences by Piper with a pause at a random word. They are the same in every run."""
    onnxruntime.set_seed(SEED)  # before the voice is loaded, because its network draws noise
    voice, chance = Piper(), random.Random(SEED)
    turns = []
    for text in (*COMMANDS, *CHAT):
        words = text.split()
        place = chance.randrange(1, len(words)) if len(words) > 1 else 0
        parts = [part for part in (" ".join(words[:place]), " ".join(words[place:])) if part]
        silence = max(SHORTEST_PAUSE, MEDIAN_PAUSE * chance.lognormvariate(0.0, SPREAD))
        first, *rest = (at_16_khz(voice.synthesize(part), voice.sample_rate) for part in parts)
        gap = np.zeros(int(silence * SAMPLE_RATE), np.int16)
        turns.append(Clip("piper", text, np.concatenate([first, *(np.concatenate([gap, one]) for one in rest)])))
    return turns


def cut_offs(pauses: Sequence[Pause], completeness: Callable[[str], float]) -> Iterator[Figure]:
    """Yields the false cut-offs of the end of turn, and of a fixed silence with the same median delay."""
    inner = [pause for pause in pauses if not pause.ends_turn]
    yield Figure("speakers", len({pause.speaker for pause in pauses}), "")
    yield Figure("pauses within turns", len(inner), "")
    yield Figure("ends of turns", len(pauses) - len(inner), "")
    for name, with_sound in (("text", False), ("text and sound", True)):
        yield from delays_and_cuts(name, pauses, [silence_needed(pause, completeness, with_sound) for pause in pauses])


def delays_and_cuts(name: str, pauses: Sequence[Pause], needed: Sequence[float]) -> Iterator[Figure]:
    """Yields the delays at the ends of turns, and the false cut-offs.

    Args:
        name: Name of the method.
        pauses: Pauses and ends of turns.
        needed: Silence after which the method ends the turn, s, for each pause.
    """
    delays = [silence for silence, pause in zip(needed, pauses, strict=True) if pause.ends_turn]
    fixed = percentile(delays, 50)
    yield Figure(f"{name}: delay, median", 1000.0 * fixed, "ms")
    yield Figure(f"{name}: delay, p95", 1000.0 * percentile(delays, 95), "ms")
    cuts = [
        Cuts(pause.speaker, pause.seconds >= silence, pause.seconds >= fixed)
        for silence, pause in zip(needed, pauses, strict=True)
        if not pause.ends_turn
    ]
    yield from compared(name, cuts)


def silence_needed(pause: Pause, completeness: Callable[[str], float], with_sound: bool) -> float:
    """Returns the silence after which the robot ends the turn, s, with the default parameters."""
    rules = Endpointing()
    turn_end = TurnEnd(completeness, _Recorded(pause.sound) if with_sound else None)
    needed = turn_end.silence_needed(pause.text, np.zeros(0, np.int16))
    if needed is None:
        return FRAME_SECONDS * rules.hangover
    frames = math.ceil(needed / FRAME_SECONDS)
    return FRAME_SECONDS * min(max(frames, rules.shortest_silence), rules.longest_silence)


@dataclass(frozen=True)
class Cuts:
    """Whether a pause within a turn is taken for its end.

    Attributes:
        speaker: Name of the speaker.
        ours: With the cues.
        alone: With a fixed silence.
    """

    speaker: str
    ours: bool
    alone: bool


@dataclass(frozen=True)
class _Recorded:
    """Estimate by the sound that was computed before."""

    value: float

    def probability(self, _samples: Samples) -> float:
        return self.value


def compared(name: str, cuts: Sequence[Cuts]) -> Iterator[Figure]:
    """Yields the numbers of cut-offs, and their ratio with a bootstrap interval over the speakers (Efron, 1979)."""
    speakers = sorted({one.speaker for one in cuts})
    totals = np.array(
        [np.sum([(one.ours, one.alone) for one in cuts if one.speaker == speaker], axis=0) for speaker in speakers]
    )
    ours, alone = totals.sum(axis=0)
    drawn = np.random.default_rng(0).integers(len(totals), size=(RESAMPLES, len(totals)))
    sums = totals[drawn].sum(axis=1)
    low, high = np.percentile(sums[:, 0] / np.maximum(1, sums[:, 1]), (2.5, 97.5))
    yield Figure(f"{name}: false cut-offs", float(ours), "")
    yield Figure(f"silence alone with the median of {name}: false cut-offs", float(alone), "")
    label = f"{name}: share of silence alone, {100 * low:.0f} to {100 * high:.0f}"
    yield Figure(label, 100.0 * float(ours) / max(1.0, float(alone)), "%", 60.0)
