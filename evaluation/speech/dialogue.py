"""Conversation with a running graph in real time.

It contains interruptions, a cough, motor noise and a pause in mid-sentence.

Run `scripts/evaluate dialogue`. It takes two minutes. A recorded person speaks both in turn and out of turn, and the
robot's microphone always picks up the robot's voice. The log goes to standard error.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from bench.report import Figure, print_report
from bench.running_graph import running_graph
from evaluation.speech.barge_in import cough, loudness
from evaluation.speech.dialogue_log import DialogueLog
from evaluation.speech.echoing_room import Room, mixed
from evaluation.speech.noises import servo_sweeps
from evaluation.speech.room_microphone import RoomMicrophone
from reachy_agent_ros.audio.samples import SAMPLE_RATE, Samples
from reachy_agent_ros.audio.sound_file import read_sound
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.ros.client.client import GraphClient
from reachy_agent_ros.stt.barge_in import BargeInStage

RECORDINGS = Path(__file__).with_name("dialogue_recordings")
ROOM, LEVEL = Room(0.1, 0.3), -10.0  # dB of the robot's voice in its microphone
SPEECH = 2500.0  # root mean square of the person, sample units, about that of the robot's voice as it is given out
MOTORS = 250.0  # of servos, beside that 20 dB less
SERVOS = 3.0  # s of servo noise
PAUSE = 0.35  # s in mid-sentence
INTO = 1.5  # s of the robot's speech or motion before an interruption
PATIENCE = 30.0  # s for each wait
SETTLED = 1.5  # s without a new event


@dataclass(frozen=True)
class Line:
    """Line of the conversation with its expected effects.

    Attributes:
        sounds: Recordings, with a pause between them, or a kind of noise.
        reply: Beginning of the last reply; empty if no reply is expected.
        tools: Expected tool calls, with a "!" for those that must not complete.
        named: Whether it begins with the robot's name or is not addressed to the robot; it is then played only after
            the robot's attention has ended.
        over: Sounds during the robot's resulting speech or motion.
        interrupts: Whether those interrupt the robot's voice.
        motors: Whether motor noise accompanies those.
    """

    sounds: tuple[str, ...]
    reply: str = ""
    tools: tuple[str, ...] = ()
    named: bool = False
    over: str = ""
    interrupts: bool = False
    motors: bool = False


LINES = (
    Line(("look_left",), "I looked to the left.", ("move_head",), named=True),
    Line(("now_look_up", "and_shake"), "I looked up and shook my head.", ("move_head", "gesture")),
    Line(("left_no_right",), "I looked to the right.", ("move_head",)),
    Line(("chat",), named=True),
    Line(("weather",), "I looked straight ahead.", ("move_head",), named=True, over="straight", interrupts=True),
    Line(("say_desk",), "I said it.", ("speak",), over="cough"),
    Line(("say_moon",), "I stopped.", ("speak!", "stop"), named=True, over="stop", interrupts=True),
    Line(("dance",), "I stopped.", ("dance!", "stop"), over="stop", motors=True),
    Line(("servos",)),
    Line(("photo",), "I took a photo.", ("take_photo",), named=True),
    Line(("sleep",), "I went to sleep.", ("gesture",)),
)


def main(as_json: bool) -> int:
    """Plays the dialogue to a new graph. Always returns exit code 0."""
    with running_graph() as (client, _):
        right = Dialogue(client).play(LINES)
    turns = sum(1 + bool(line.over) for line in LINES)
    figures = [
        Figure("times that somebody speaks, coughs or a motor is heard", turns, "", 10, at_least=True),
        Figure(f"exchanges of {len(LINES)} that came out right", sum(right), "", len(LINES), at_least=True),
    ]
    print_report("dialogue", figures, as_json)
    return 0


class Dialogue:
    """Dialogue between a person and a robot in a room.

    Args:
        client: Client in the robot's graph.
    """

    def __init__(self, client: GraphClient) -> None:
        self._log = DialogueLog(client)
        self._microphone = RoomMicrophone(client, ROOM, LEVEL)
        self._await(lambda: self._microphone.heard)
        self._rng = np.random.default_rng(3)

    def play(self, lines: Sequence[Line]) -> list[bool]:
        """Plays every line of the dialogue. Returns whether the effects of each line were correct."""
        right = [self._plays(line) for line in lines]
        self._microphone.close()
        return right

    def _plays(self, line: Line) -> bool:
        if line.named:
            self._await(lambda: not self._log.attentive)
        self._log.begin()
        self._log.tell(f"--------- {' ... '.join(line.sounds)}")
        self._hear(*line.sounds)
        if line.over:
            self._await(lambda: self._log.speaking or self._log.moving)
            time.sleep(INTO)
            self._log.tell(f"--------- meanwhile: {line.over}{', and motors' if line.motors else ''}")
            self._hear(line.over, motors=line.motors)
        self._await(lambda: time.monotonic() - self._log.last_event > SETTLED and not self._log.busy)
        return self._judge(line)

    def _judge(self, line: Line) -> bool:
        log = self._log
        replies = [log.replies[turn] for turn in log.heard if turn in log.replies]
        interrupted = BargeInStage.CONFIRMED in log.interruptions
        answered = replies[-1] if replies else ""
        right = (
            answered.startswith(line.reply)
            and bool(answered) == bool(line.reply)
            and log.called == list(line.tools)
            and interrupted == line.interrupts
        )
        log.tell(f"--------- {'right' if right else f'WRONG: {answered!r}, {log.called}, interrupted {interrupted}'}")
        return right

    def _hear(self, *sounds: str, motors: bool = False) -> None:
        """Plays sounds one after the other, and waits for their end."""
        pause = np.zeros(int(PAUSE * SAMPLE_RATE), np.int16)
        pieces = [piece for sound in sounds for piece in (pause, self._sound(sound))][1:]
        whole = np.concatenate(pieces)
        self._microphone.play(mixed(whole, self._servos(whole.size)) if motors else whole)
        self._await(lambda: self._microphone.silent)

    def _sound(self, name: str) -> Samples:
        if name == "servos":
            return self._servos(int(SERVOS * SAMPLE_RATE))
        sound = cough(self._rng) if name == "cough" else read_sound(RECORDINGS / f"{name}.flac")
        return mixed(np.asarray(sound * (SPEECH / loudness(sound)), np.float64))

    def _servos(self, size: int) -> Samples:
        sound = servo_sweeps(size, self._rng)
        return mixed(np.asarray(sound * (MOTORS / sound.std()), np.float64))

    @staticmethod
    def _await(condition: Callable[[], bool]) -> None:
        patience = Deadline(PATIENCE)
        while not condition():
            assert not patience.passed, "what the dialogue waits for does not come"
            time.sleep(0.02)
