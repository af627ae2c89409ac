"""Speech-driven motion: delay and size of the head motion while the simulated robot speaks.

Run `reachy-agent bench wobble`, on a simulated clock. It takes 10 s; `--full` changes nothing.
"""

from __future__ import annotations

import math
import uuid

import numpy as np
from numpy.typing import NDArray

from bench.report import Figure, print_report
from reachy_agent_ros.audio.samples import Samples
from reachy_agent_ros.core.pose import rpy_from_matrix
from reachy_agent_ros.motion.breathing import Breath
from reachy_agent_ros.motion.controller import MotionController
from reachy_agent_ros.motion.loop import PERIOD
from reachy_agent_ros.motion.offset import Offset, OffsetSource
from reachy_agent_ros.robot.mujoco_robot import MujocoRobot
from reachy_agent_ros.tts.speaker import CHUNK
from reachy_agent_ros.tts.speech_motion import LEAD, SpeechMotion, SpeechMotionPlayer
from reachy_agent_ros.tts.voice import Piper

CLAUSES = (
    "I look to the left,",
    "and then I look to the right,",
    "and then I tell you all that I have seen.",
    "There is a duck, and an apple, and a croissant on the table.",
)
AFTER = 2.0  # s measured after the sound
STILL = 0.5  # s at the end of it in which the head must not move
LAGS = np.arange(-0.3, 0.301, 0.01)


class Stage:
    """Simulated speaking robot: sound, speech motion, controller and physics, advanced in steps."""

    def __init__(self, sample_rate: int) -> None:
        self.now = 100.0
        self.times: list[float] = []
        self.angles: list[tuple[float, float, float]] = []
        self._rate = sample_rate
        self._robot = MujocoRobot("empty", lambda: self.now)
        self._controller = MotionController(Breath(pause=0.0))
        self._wobbler = SpeechMotionPlayer(1.0, LEAD, lambda: 0.0, lambda: self.now)
        self._robot.connect()
        self._run(1.0)

    def speak(self, clauses: list[Samples]) -> float:
        """Speaks clauses, and records the head until it is at rest. Returns the time (s) at which the sound starts."""
        self._wobbler.start(uuid.uuid4(), self._rate)
        began = self.now
        sound = np.concatenate(clauses)
        for clause in clauses:
            self._wobbler.foresee(clause)
        size = int(CHUNK * self._rate)
        for start in range(0, sound.size, size):
            self._wobbler.write(sound[start : start + size])
            self._run(CHUNK)
        self._run(AFTER)
        return began

    def _run(self, seconds: float) -> None:
        for turn in range(round(seconds / PERIOD)):
            if turn % 2 == 0 and self._wobbler.wait(0.0):
                offset = self._wobbler.advance()
                self._controller.offset(OffsetSource.SPEECH, Offset(offset.translation, offset.rotation), self.now)
            self.now += PERIOD
            measurement = self._robot.measure()
            self.times.append(self.now)
            self.angles.append(rpy_from_matrix(measurement.pose.head))
            command = self._controller.cycle(measurement, self.now, PERIOD)
            if command is not None:
                self._robot.command(command)


def main(as_json: bool, full: bool = False) -> int:
    """Measures one utterance. Always returns exit code 0."""
    del full  # there is no long form
    voice = Piper()
    clauses = [voice.synthesize(text) for text in CLAUSES]
    stage = Stage(voice.sample_rate)
    began = stage.speak(clauses)
    times, angles = np.array(stage.times), np.degrees(np.array(stage.angles))
    sound = np.concatenate(clauses)
    heard = (times >= began) & (times < began + sound.size / voice.sample_rate)
    wobble = SpeechMotion(sound, voice.sample_rate)
    likeness = [_likeness(wobble, times[heard] - began - lag, angles[heard, 1]) for lag in LAGS]
    end = angles[times > times[-1] - STILL]
    figures = [
        Figure("measured nod, time from the sound's", 1e3 * abs(float(LAGS[int(np.argmax(likeness))])), "ms", 50.0),
        Figure("its correlation with the sound's nod", max(likeness), "", 0.5, at_least=True),
        *(
            Figure(f"measured {name}, from end to end", float(np.ptp(angles[heard, row])), "deg", bar, at_least=True)
            for row, (name, bar) in enumerate((("roll", None), ("pitch", 1.0), ("yaw", 1.0)))
        ),
        Figure("measured movement two seconds after the sound", float(np.ptp(end, axis=0).max()), "deg", 0.1),
    ]
    print_report("wobble", figures, as_json)
    return 0


def _likeness(wobble: SpeechMotion, times: NDArray[np.float64], nods: NDArray[np.float64]) -> float:
    wanted = [math.degrees(wobble.at(time).rotation[1]) for time in times]
    return float(np.corrcoef(wanted, nods)[0, 1])
