"""Accuracy and latency of speech recognition.

The default pipeline of the libraries is measured in the same run, for comparison.

Run `scripts/evaluate hearing` with nothing else running. It takes about 15 minutes. Recordings of people and noises are
fetched once (apt-get and pip, 40 MB). Delays are wall-clock times in real time; compute is CPU time.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from bench.report import Figure, percentile, print_report
from evaluation.speech.clip import Clip
from evaluation.speech.hearings import Hearing, Ours, Stock
from evaluation.speech.noises import noises, room_noise
from evaluation.speech.recorded_speech import human_clips
from evaluation.speech.replay import delays, replay, turns_of
from evaluation.speech.spoken_commands import synthesized_clips
from evaluation.speech.word_errors import loops, word_error_rate, words_of
from reachy_agent_ros.stt.utterance import with_robot_name

SEED = 2026
SNR = 10.0
"""Signal-to-noise ratio of the noisy clips, dB."""

MARGIN = 0.3
"""Noise before and after the speech in noisy clips, s."""

NOISE_CLIPS = 10
NOISE_SECONDS = 2.5
"""Length of noise clips, which must be rejected, s."""

NOISE_MINUTE = 60.0
"""Length of noise streams, which must not cause a turn, s."""

QUIET = ("servo", "motor hum", "fan", "typing", "silence")
"""Kinds of noise that must never cause a turn."""

EVERY = 4
"""Interval of the clean clips that are played in real time."""


CONFIDENCE_EDGES = (0.6, 0.7, 0.8, 0.9)
"""Edges of the bins in which confidence is compared with accuracy."""


@dataclass(frozen=True)
class Corpus:
    """Clips of the evaluation.

    Attributes:
        human: Clips of people.
        clean: Clips of Piper.
        noisy: Clips of Piper with noise at `SNR`.
        noise: Clips of noise only.
    """

    human: Sequence[Clip]
    clean: Sequence[Clip]
    noisy: Sequence[Clip]
    noise: Sequence[Clip]

    @property
    def speech(self) -> list[Clip]:
        """All clips that contain speech."""
        return [*self.human, *self.clean, *self.noisy]


def main(as_json: bool) -> int:
    """Measures both pipelines. Always returns exit code 0."""
    corpus = gathered()
    figures = [Figure("human clips", len(corpus.human), "", 40, at_least=True)]
    figures += [Figure("speakers of them", len({clip.speaker for clip in corpus.human}), "", 2, at_least=True)]
    for hearing in (Ours(), Stock()):
        figures += [_of(hearing, figure) for figure in measure(hearing, corpus)]
        if isinstance(hearing, Ours):
            figures.append(calibration(hearing, corpus))
    print_report("hearing", figures, as_json)
    return 0


def gathered() -> Corpus:
    """Returns the clips of the evaluation, which are the same in every run."""
    rng = np.random.default_rng(SEED)
    clean = synthesized_clips()
    padded = [clip.padded(MARGIN, MARGIN) for clip in clean]
    noisy = [clip.with_noise(room_noise(clip.seconds, rng), SNR) for clip in padded]
    noise = [Clip(kind, "", sound) for n in range(NOISE_CLIPS) for kind, sound in noises(NOISE_SECONDS, SEED + n)]
    return Corpus(human_clips(), clean, noisy, noise)


def measure(hearing: Hearing, corpus: Corpus) -> Iterator[Figure]:
    """Measures all figures of a pipeline."""
    yield from accuracy(hearing, corpus)
    yield from segmentation(hearing, corpus)
    yield from delay(hearing, corpus)


def accuracy(hearing: Hearing, corpus: Corpus) -> Iterator[Figure]:
    """Measures the accuracy and the CPU time of recognition on whole clips."""
    cost: list[float] = []
    written = [_written(hearing, clip, cost) for clip in corpus.speech]
    pairs = [(words_of(clip.text), words_of(text)) for clip, text in zip(corpus.speech, written, strict=True)]
    human, clean = len(corpus.human), len(corpus.human) + len(corpus.clean)
    yield Figure("word error rate, human", word_error_rate(pairs[:human]), "%", 6.0)
    for speaker in dict.fromkeys(clip.speaker for clip in corpus.human):
        theirs = [pair for clip, pair in zip(corpus.human, pairs, strict=False) if clip.speaker == speaker]
        yield Figure(f"  of it, {speaker}, {len(theirs)} clips", word_error_rate(theirs), "%")
    yield Figure("word error rate, Piper", word_error_rate(pairs[human:clean]), "%", 5.0)
    yield Figure("word error rate, Piper at 10 dB", word_error_rate(pairs[clean:]), "%", 20.0)
    yield Figure("sentences that loop", sum(loops(*pair) for pair in pairs), "", 0.0)
    yield Figure("speech rejected", sum(not text for text in written), "", 0.0)
    believed = [bool(_written(hearing, clip, [])) for clip in corpus.noise]
    yield Figure("noise rejected", 100.0 - 100.0 * statistics.mean(believed), "%", 98.0, at_least=True)
    yield Figure("compute, median", percentile(cost, 50), "ms")
    yield Figure("compute, p95", percentile(cost, 95), "ms", 150.0)


def calibration(ours: Ours, corpus: Corpus) -> Figure:
    """Measures the expected calibration error of the confidence: the mean error of the bins, weighted by their size."""
    heard = [(ours.recognizer.recognize(clip.samples), words_of(clip.text)) for clip in corpus.speech]
    confidence = np.array([recognition.confidence for recognition, _ in heard])
    right = np.array([words_of(with_robot_name(recognition.text)) == said for recognition, said in heard])
    bins = np.digitize(confidence, CONFIDENCE_EDGES)
    gaps = [abs(float(np.mean(confidence[bins == n] - right[bins == n]))) * np.sum(bins == n) for n in np.unique(bins)]
    return Figure("ours: confidence, expected calibration error", 100.0 * sum(gaps) / len(heard), "%")


def segmentation(hearing: Hearing, corpus: Corpus) -> Iterator[Figure]:
    """Measures how the pipeline divides speech into turns. The clips are played faster than real time."""
    counts = turns_of(hearing, corpus.speech)
    yield Figure("utterances cut in two", 100.0 * statistics.mean(n > 1 for n in counts), "%", 2.0)
    yield Figure("utterances not heard", 100.0 * statistics.mean(n == 0 for n in counts), "%")
    for kind, sound in noises(NOISE_MINUTE, SEED):
        turns = len(replay(hearing, Clip(kind, "", sound), real_time=False))
        yield Figure(f"false turns a minute, {kind}", turns, "", 0.0 if kind in QUIET else None)


def delay(hearing: Hearing, corpus: Corpus) -> Iterator[Figure]:
    """Measures the time from the true end of speech to the final text. The clips are played in real time."""
    found = [1000.0 * seconds for seconds in delays(hearing, [*corpus.human, *corpus.clean][::EVERY])]
    yield Figure(f"end of speech to text, p50 of {len(found)}", percentile(found, 50), "ms", 320.0)
    yield Figure("end of speech to text, p95", percentile(found, 95), "ms", 420.0)


def _written(hearing: Hearing, clip: Clip, cost: list[float]) -> str:
    start = time.process_time()
    text = hearing.text(clip.samples)
    cost.append(1000.0 * (time.process_time() - start))
    return text


def _of(hearing: Hearing, figure: Figure) -> Figure:
    """Creates a figure whose name begins with the name of the pipeline. Only our pipeline has bars."""
    bar = figure.bar if isinstance(hearing, Ours) else None
    return Figure(f"{hearing.name}: {figure.name}", figure.value, figure.unit, bar, figure.at_least)
