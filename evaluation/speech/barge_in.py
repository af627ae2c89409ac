"""Barge-in: time until an interruption is detected, and interruptions of the robot by its own voice.

Run `scripts/evaluate barge_in`. It takes about eight minutes, faster than real time. The robot talks for 150 s in each
of four rooms that are unknown to it at first. Recordings of people are fetched once (apt-get, 40 MB).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bench.report import Figure, percentile, print_report
from evaluation.speech.echoing_room import Room, mixed, robot_speech
from evaluation.speech.recorded_speech import human_clips
from reachy_agent_ros.audio.resampler import resample
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.stt.barge_in import BargeIn, BargeInRules, BargeInStage
from reachy_agent_ros.stt.echo import EchoSuppressor, Residual
from reachy_agent_ros.stt.full_duplex import Foreground
from reachy_agent_ros.stt.voice_detectors import FRAME, Silero
from reachy_agent_ros.stt.whisper import Whisper
from reachy_agent_ros.tts.speaker import CHUNK
from reachy_agent_ros.tts.voice import Piper

SEED = 8
TALK = 150.0  # s of the robot's speech in each room
ROOMS = (Room(0.03, 0.2, 1), Room(0.12, 0.4, 2), Room(0.25, 0.6, 3), Room(0.06, 0.3, 4))
LEVELS = (-20.0, -10.0, 0.0)  # dB of the robot's voice in its microphone relative to its output; a person has 0
LEARNING = 5.0  # s before the first interruption
EVERY = 5.0  # s between two interruptions
ROUNDS = 3  # of people in each room, in another order: the slowest twentieth of one round is six people
HALTS = ("Stop!", "Wait!", "No!", "Stop it.", "Wait a moment.", "No, not that.")
NOISE = 15.0  # of the room, in sample units
PITCHES = (0.85, 1.2)  # of Piper as another person


@dataclass(frozen=True)
class Interruptions:
    """Simulated interruptions of the robot by people in one room.

    Attributes:
        sound: Sound of all interruptions, as long as the robot's speech.
        starts: Start of each interruption, samples.
    """

    sound: Samples
    starts: list[int]


@dataclass(frozen=True)
class Decided:
    """Decision about an interruption, with its stage and its time (in samples)."""

    stage: BargeInStage
    at: int


class Ears:
    """Detector of interruptions in one room, which has not adapted to the room before."""

    def __init__(self, detector: Silero, reference: bool = True) -> None:
        self._detector = detector
        self._suppressor = EchoSuppressor() if reference else None
        self._foreground = Foreground()
        self.processor_time = 0.0
        detector.reset()

    def hear(self, heard: Samples, said: Samples) -> tuple[Samples, list[Decided]]:
        """Processes a sound. Returns the sound after echo cancellation, and the decisions."""
        barge_in = BargeIn(BargeInRules())
        decided: list[Decided] = []
        clean: list[Samples] = []
        for start in range(0, heard.size - FRAME + 1, FRAME):
            frame = slice(start, start + FRAME)
            residual = self._clean(heard[frame], said[frame])
            clean.append(residual.samples)
            sounds = self._foreground.push(residual.samples, residual.excess)
            stage = barge_in.push(self._detector.probability(residual.samples), sounds, robot_speaks=True)
            if stage is not None:
                decided.append(Decided(stage, start + FRAME))
            if barge_in.confirmed and barge_in.silence >= BargeInRules().dismiss:
                barge_in.reset()
        return np.concatenate(clean), decided

    def _clean(self, heard: Samples, said: Samples) -> Residual:
        if self._suppressor is None:
            return Residual(heard, excess=1.0)
        began = time.process_time()
        residual = self._suppressor.suppress(heard, said)
        self.processor_time += time.process_time() - began
        return residual


def main(as_json: bool) -> int:
    """Measures all conditions. Always returns exit code 0."""
    rng = np.random.default_rng(SEED)
    voice, detector = Piper(), Silero()
    talks = [robot_speech(voice, TALK, rng) for _ in ROOMS]
    figures = [
        *alone(detector, talks, rng),
        *interrupted(detector, talks, people(rng), rng),
        *coughed(detector, talks, rng),
        *halted(detector, talks, voice, rng),
    ]
    print_report("barge_in", figures, as_json)
    return 0


def alone(detector: Silero, talks: list[Samples], rng: np.random.Generator) -> Iterator[Figure]:
    """Measures self-interruptions while only the robot talks."""
    for reference in (False, True):
        for level in LEVELS:
            confirmed = suspected = 0
            cost = 0.0
            for room, said in zip(ROOMS, talks, strict=True):
                ears = Ears(detector, reference)
                _, decided = ears.hear(mixed(room.hear(said, level), quiet(said.size, rng)), said)
                confirmed += count(decided, BargeInStage.CONFIRMED)
                suspected += count(decided, BargeInStage.SUSPECTED)
                cost += ears.processor_time
            name = f"{'ours' if reference else 'without a reference'}, {level:.0f} dB, 10 min: "
            yield Figure(f"{name}self-interruptions", confirmed, "", 0.0 if reference and level <= -10.0 else None)
            if reference:
                yield Figure(f"{name}times it lowered its voice", suspected, "")
        if reference:
            yield Figure("taking the voice out: processor time of 1 s of sound", 1e3 * cost / (4.0 * TALK), "ms")


def interrupted(
    detector: Silero, talks: list[Samples], clips: list[Samples], rng: np.random.Generator
) -> Iterator[Figure]:
    """Measures interruptions of the robot by people."""
    for level in LEVELS:
        delays: list[float] = []
        missed = 0
        order = iter(np.concatenate([rng.permutation(len(clips)) for _ in range(ROUNDS)]))
        for room, said in [*zip(ROOMS, talks, strict=True)] * ROUNDS:
            speakers = speaking_over(said, [clips[next(order)] for _ in range(turns(said))])
            heard = mixed(room.hear(said, level), speakers.sound, quiet(said.size, rng))
            _, decided = Ears(detector).hear(heard, said)
            for start in speakers.starts:
                after = [one.at - start for one in decided if one.stage is BargeInStage.CONFIRMED and one.at > start]
                if after and after[0] < EVERY * SAMPLE_RATE / 2.0:
                    delays.append(1e3 * after[0] / SAMPLE_RATE)
                else:
                    missed += 1
        name = f"{level:.0f} dB, {len(delays) + missed} people over it: "
        yield Figure(f"{name}not noticed", missed, "", 0.0 if level <= -10.0 else None)
        yield Figure(f"{name}to CONFIRMED, p50", percentile(delays, 50), "ms")
        yield Figure(f"{name}to CONFIRMED, p95", percentile(delays, 95), "ms")
        bar = 300.0 if level <= -10.0 else None
        yield Figure(f"{name}to silence, p95", percentile(delays, 95) + 1e3 * CHUNK, "ms", bar)


def coughed(detector: Silero, talks: list[Samples], rng: np.random.Generator) -> Iterator[Figure]:
    """Measures the reaction to people who cough while the robot talks."""
    room, said = ROOMS[1], talks[1]
    speakers = speaking_over(said, [cough(rng) for _ in range(turns(said))])
    _, decided = Ears(detector).hear(mixed(room.hear(said, -10.0), speakers.sound, quiet(said.size, rng)), said)
    yield Figure(
        f"-10 dB, {len(speakers.starts)} coughs: taken for speech", count(decided, BargeInStage.CONFIRMED), "", 0.0
    )


def halted(detector: Silero, talks: list[Samples], voice: Piper, rng: np.random.Generator) -> Iterator[Figure]:
    """Measures how often "stop", "wait" and "no" are understood while the robot talks."""
    recognizer = Whisper()
    for level in LEVELS:
        understood = asked = 0
        for room, said in zip(ROOMS[:2], talks[:2], strict=True):
            words = [HALTS[number % len(HALTS)] for number in range(turns(said))]
            speakers = speaking_over(said, [another(voice, word, rng) for word in words])
            heard = mixed(room.hear(said, level), speakers.sound, quiet(said.size, rng))
            clean, _ = Ears(detector).hear(heard, said)
            barge_in = BargeIn(BargeInRules())
            for start in speakers.starts:
                barge_in.reset()
                for _ in range(BargeInRules().confirm):
                    barge_in.push(1.0, False, robot_speaks=True)
                asked += 1
                utterance = clean[start - SAMPLE_RATE // 3 : start + SAMPLE_RATE]
                understood += barge_in.understand(recognizer.recognize(utterance).text, "") is BargeInStage.CONFIRMED
        name = f'{level:.0f} dB: "stop", "wait" and "no" understood'
        yield Figure(name, 100.0 * understood / asked, "%")


def people(rng: np.random.Generator) -> list[Samples]:
    """Returns trimmed recordings of people, twice in the same order."""
    return [from_start(clip.samples) for clip in human_clips()] * 2


def speaking_over(said: Samples, clips: list[Samples]) -> Interruptions:
    """Places clips one after the other, as loud as the robot's voice at its output."""
    sound = np.zeros(said.size)
    starts = [int((LEARNING + EVERY * number) * SAMPLE_RATE) for number in range(len(clips))]
    for start, clip in zip(starts, clips, strict=True):
        end = min(start + clip.size, start + int((EVERY - 1.0) * SAMPLE_RATE), said.size)
        sound[start:end] = clip[: end - start] * (loudness(said) / loudness(clip))
    return Interruptions(mixed(sound), starts)


def turns(said: Samples) -> int:
    """Returns the number of interruptions that fit into the robot's speech."""
    return int((said.size / SAMPLE_RATE - LEARNING) / EVERY)


def another(voice: Piper, text: str, rng: np.random.Generator) -> Samples:
    """Returns a text in the voice of another person, made by changing the pitch of the robot's voice."""
    pitch = float(rng.choice(PITCHES))
    return from_start(resample(voice.synthesize(text, 1.0 / pitch), int(voice.sample_rate * pitch), SAMPLE_RATE))


def cough(rng: np.random.Generator) -> Samples:
    """Returns a simulated cough, 0.12 to 0.22 s long: a burst of noise, filtered by formants."""
    size = int(rng.uniform(0.12, 0.22) * SAMPLE_RATE)
    time_ = np.arange(size) / SAMPLE_RATE
    burst = rng.standard_normal(size) * np.minimum(1.0, time_ / 0.01) * np.exp(-time_ / 0.06)
    spectrum = np.fft.rfft(burst)
    frequency = np.fft.rfftfreq(size, 1.0 / SAMPLE_RATE)
    throat = sum(1.0 / (1.0 + ((frequency - formant) / 150.0) ** 2) for formant in (500.0, 1500.0, 2500.0))
    return mixed(3000.0 * np.fft.irfft(spectrum * throat, size))


def from_start(samples: Samples) -> Samples:
    """Returns a clip without its quiet beginning: from the first 5 ms frame within 30 dB of the loudest frame."""
    frames = samples[: samples.size // 80 * 80].reshape(-1, 80).astype(np.float64)
    power = np.mean(frames**2, axis=1)
    return samples[80 * int(np.argmax(power > 1e-3 * power.max())) :]


def loudness(samples: Samples) -> float:
    """Returns the root mean square (in sample units) of a sound without its silent parts."""
    sounding = samples[np.abs(samples.astype(np.int32)) > 200].astype(np.float64)
    return float(np.sqrt(np.mean(sounding**2)))


def quiet(size: int, rng: np.random.Generator) -> Samples:
    """Returns the noise of a quiet room."""
    return mixed(NOISE * rng.standard_normal(size))


def count(decided: list[Decided], stage: BargeInStage) -> int:
    """Returns the number of decisions that reached a stage."""
    return sum(one.stage is stage for one in decided)
