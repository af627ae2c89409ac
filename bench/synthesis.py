"""Text to speech: latency, CPU time and cancellation, each compared with the synthesis of the library Piper.

Run `reachy-agent bench synthesis` with nothing else running. It takes a minute, with `--full` two for more repetitions.
CPU time is that of all threads of the process; wall time includes all other work of this machine.
"""

from __future__ import annotations

import os
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
from piper import PiperVoice

from bench.report import Figure, percentile, print_report
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tts.request import checked_text
from reachy_agent_ros.tts.speaker import Speaker
from reachy_agent_ros.tts.utterance import SpeechItem, Spoken
from reachy_agent_ros.tts.voice import JOE, Piper, Voice
from reachy_agent_ros.tts.voices import PhraseCache

SHORT = (
    *("Okay.", "Yes?", "Of course!", "I look left.", "Nice to meet you.", "I did not understand that."),
    *("Sure, I can see a red cup.", "It is 5 cm wide."),
)
LONG = (
    "I can see a red cup on the table and a yellow duck to the left of it and a book behind both of them.",
    "Before I turn my head all the way to the right I would like to know whether somebody is standing there.",
    "The little robot looked out of the window at 10:30 and saw that it had been snowing since early that morning.",
    "My antennas are the part of me that people like the most because they show what I feel about a conversation.",
)
REPETITIONS, SHORT_REPETITIONS = 5, 3
CANCELS, SHORT_CANCELS = 20, 10
CANCEL = AgentError(ErrorCode.CANCELED, "Canceled.")


class Cost(NamedTuple):
    """Wall time and CPU time of a measurement, in milliseconds."""

    wall: float
    cpu: float


def main(as_json: bool, full: bool = False) -> int:
    """Measures our synthesis and that of the library Piper alternately. Always returns exit code 0."""
    repetitions, breaks = (REPETITIONS, CANCELS) if full else (SHORT_REPETITIONS, SHORT_CANCELS)
    voice, stock = Piper(), PiperVoice.load(JOE.verified() / "en_US-joe-medium.onnx")
    list(stock.synthesize("Yes."))
    figures = [
        Figure("load average of the machine", os.getloadavg()[0], ""),
        *first_audio(voice, stock, SHORT * repetitions, "short reply", 120.0),
        *first_audio(voice, stock, LONG * repetitions, "long first sentence", 160.0),
        *repeated(voice),
        *real_time_factor(voice, stock),
        *cancels(voice, breaks),
    ]
    print_report("synthesis", figures, as_json)
    return 0


def first_audio(voice: Voice, stock: PiperVoice, texts: Sequence[str], name: str, bar: float) -> Iterator[Figure]:
    """Measures the time from a text to the first sound at an audio sink.

    Args:
        voice: Our voice.
        stock: Piper's voice, for comparison.
        texts: Texts to speak.
        name: Name of the texts in the report.
        bar: Upper limit of the 95th percentile of our voice, ms.
    """
    ours: list[Cost] = []
    theirs: list[Cost] = []
    for text in texts:
        ours.append(Mouth(voice).first_audio(text))
        theirs.append(_cost(partial(_first, stock, text)))
    yield Figure(f"{name}: texts", len(texts), "")
    for path, costs, limit in (("", ours, bar), (", stock", theirs, None)):
        yield from _percentiles(f"{name}: text to first audio{path}", costs, limit)


def _first(stock: PiperVoice, text: str) -> None:
    next(iter(stock.synthesize(text)))


def repeated(voice: Voice) -> Iterator[Figure]:
    """Measures the time to the first sound of a cached phrase."""
    cache = PhraseCache(voice)
    for text in SHORT:
        list(cache.pieces(checked_text(text)))
    costs = [Mouth(cache).first_audio(text) for text in SHORT[:4] for _ in range(10)]
    yield from _percentiles("phrase said before: text to first audio", costs, None)


def real_time_factor(voice: Piper, stock: PiperVoice) -> Iterator[Figure]:
    """Measures the ratio of the synthesis time to the duration of the speech."""

    def made(synthesize: Callable[[str], Samples]) -> tuple[float, Cost]:
        samples: list[Samples] = []
        cost = _cost(lambda: samples.extend(synthesize(text) for text in (*SHORT, *LONG)))
        return 1e3 * sum(map(len, samples)) / voice.sample_rate, cost

    def whole(text: str) -> Samples:
        return np.concatenate([chunk.audio_int16_array for chunk in stock.synthesize(text)])

    for path, synthesize, bar in (("", voice.synthesize, 0.2), (", stock", whole, None)):
        heard, cost = made(synthesize)
        yield Figure(f"real-time factor, CPU{path}", cost.cpu / heard, "", bar)
        yield Figure(f"real-time factor, wall{path}", cost.wall / heard, "", bar)


def cancels(voice: Voice, count: int) -> Iterator[Figure]:
    """Measures the time to cancel an utterance at moments spread over its first 1.5 s.

    Piper itself would finish the sentence.
    """
    mouth, silences, answers = Mouth(voice), [], []
    for number in range(count):
        text = LONG[number % len(LONG)]
        silence, answer = mouth.interrupted(text, 0.05 + 1.5 * number / count)
        silences.append(silence)
        answers.append(answer)
    yield Figure("cancels", count, "")
    yield Figure("cancel to silence, wall, p95", percentile(silences, 95), "ms", 100.0)
    yield Figure("cancel to first audio of what interrupts, wall, p95", percentile(answers, 95), "ms")


class Mouth:
    """Speaker with an audio sink that records times."""

    def __init__(self, voice: Voice) -> None:
        self._speaker = Speaker(voice, [self], lambda: None, lambda samples: None)
        self._stop_after = self._stopped = self._silent = 0.0
        self._first: Cost | None = None

    def start(self, utterance_id: uuid.UUID, sample_rate: int) -> None:
        """Starts an utterance."""
        del utterance_id, sample_rate
        self._first = None

    def write(self, samples: Samples) -> None:
        """Records the time of the first sound, and schedules the stop of the utterance."""
        del samples
        if self._first is None:
            self._first = Cost(1e3 * time.monotonic(), 1e3 * time.process_time())
            threading.Timer(self._stop_after, self._stop, [self._utterance]).start()

    def end(self, *, cancelled: bool) -> None:
        """Records the time at which the utterance has become silent."""
        del cancelled
        self._silent = 1e3 * time.monotonic()

    def first_audio(self, text: str) -> Cost:
        """Returns the time until the first sound of a text, without waiting for the rest of the speech."""
        begun = Cost(1e3 * time.monotonic(), 1e3 * time.process_time())
        first = self._say(text, 0.0)
        self._speaker.close()
        return Cost(first.wall - begun.wall, first.cpu - begun.cpu)

    def interrupted(self, text: str, after: float) -> tuple[float, float]:
        """Speaks a text, cancels it after some seconds of sound, and immediately speaks another text.

        Returns:
            Times from the cancellation to silence, and to the first sound of the other text, ms.
        """
        self._say(text, after)
        stopped, silent = self._stopped, self._silent
        return silent - stopped, self._say("I stop.", 0.0).wall - stopped

    def _stop(self, utterance: SpeechItem) -> None:
        if utterance is self._utterance:  # on a busy machine it may have ended before its timer
            self._stopped = 1e3 * time.monotonic()
            utterance.stop(CANCEL)

    def _say(self, text: str, stop_after: float) -> Cost:
        self._stop_after = stop_after
        self._utterance = SpeechItem(checked_text(text), 1.0, 1.0, 0.0, lambda progress: None, _ignore)
        self._speaker.say(self._utterance)
        assert self._first is not None, f"{text!r} made no sound"
        return self._first


def _ignore(spoken: Spoken) -> None:
    del spoken


def _cost(work: Callable[[], object]) -> Cost:
    wall, cpu = time.monotonic(), time.process_time()
    work()
    return Cost(1e3 * (time.monotonic() - wall), 1e3 * (time.process_time() - cpu))


def _percentiles(name: str, costs: Sequence[Cost], bar: float | None) -> Iterator[Figure]:
    for clock, values in (("CPU", [cost.cpu for cost in costs]), ("wall", [cost.wall for cost in costs])):
        yield Figure(f"{name}, {clock}, p50", percentile(values, 50), "ms")
        yield Figure(f"{name}, {clock}, p95", percentile(values, 95), "ms", bar)
