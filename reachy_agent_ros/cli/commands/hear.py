"""Plays a sound file as the robot's audio input and shows the reaction."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options, span
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.turn_tracker import TurnTracker
    from reachy_agent_ros.ros.stt.hearing_messages import SoundFileStream

GROUP = Group.TALK

HELP = "play a sound file as the robot's audio input and show the transcript, actions and reply"

EXAMPLES = (
    "reachy-agent hear question.wav",
    "reachy-agent hear question.wav --out reply.wav",
)

ANSWER_TIMEOUT = 20.0
"""Time after the end of the file within which a turn must begin, s."""

QUIET = 1.0
"""Time after the last turn during which another sentence of the file may still be recognized, s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the sound file, the recording of the reply, and the time limit."""
    parser.add_argument("file", type=Path, help="sound file of any sample rate")
    parser.add_argument("--out", type=Path, metavar="WAV", help="write the spoken reply to this file")
    parser.add_argument(
        "--no-button", action="store_true", help="do not hold the talk button; the robot's name is then required"
    )
    parser.add_argument("--timeout", type=span, default="2m", metavar="TIME", help="time limit (default: %(default)s)")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Plays the file, prints events, and waits until the reply has been spoken. Returns 1 if the last turn failed.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; an error of `read_sound`; `AUDIO_UNAVAILABLE`: the `stt`
            node does not listen; `NO_SPEECH`; `TIMEOUT`: the robot did not answer in time.
    """
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.graph_printer import GraphPrinter
    from reachy_agent_ros.ros.client.turn_tracker import TurnTracker
    from reachy_agent_ros.ros.stt.hearing_messages import SoundFileStream
    from reachy_agent_ros.ros.tts.playback import PlaybackRecorder

    deadline = Deadline(arguments.timeout)
    with GraphClient("hear", arguments.namespace) as client:
        stream = SoundFileStream(client.node, arguments.file)
        client.watch(names.STT)
        recorder = PlaybackRecorder(client.node)
        GraphPrinter(client.node, _Clock(arguments.json).say)
        tracker = TurnTracker(client.node)
        with nullcontext() if arguments.no_button else _button(client):
            _play(client, stream, tracker, deadline)
            _await_answer(client, tracker, deadline)
    if arguments.out:
        seconds = recorder.write(arguments.out)
        words = f"Saved the reply, {seconds:.1f} s of audio, to {arguments.out}."
        show({"file": arguments.out, "audio_s": round(seconds, 3)}, words, arguments.json)
    return int(bool(tracker.turns[-1].error))  # the last lines state the error


@contextmanager
def _button(client: GraphClient) -> Iterator[None]:
    """Holds the push-to-talk button, so that the sentence does not need the robot's name."""
    from std_srvs.srv import SetBool

    from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller

    button = ServiceCaller(client.node, SetBool, names.PUSH_TO_TALK, client.watch(names.AGENT))
    button.call(SetBool.Request(data=True))
    try:
        yield
    finally:
        button.call(SetBool.Request(data=False))


def _play(client: GraphClient, stream: SoundFileStream, tracker: TurnTracker, deadline: Deadline) -> None:
    """Plays the file when the `stt` node listens and the robot is silent. Otherwise, it may hear only a short stop."""
    while not stream.heard or tracker.speaking:
        if deadline.passed:
            raise AgentError(
                ErrorCode.AUDIO_UNAVAILABLE, "No node subscribes to audio/capture, or the robot still speaks."
            )
        client.pause()
    stream.play(CancelToken())


def _await_answer(client: GraphClient, tracker: TurnTracker, deadline: Deadline) -> None:
    from reachy_agent_ros.ros.stt.hearing_messages import SILENCE

    silent_since = time.monotonic() - SILENCE
    patience = Deadline(ANSWER_TIMEOUT)
    while not (tracker.settled and time.monotonic() - tracker.last_event > QUIET):
        # A transcript may arrive after the report that nobody speaks, because they are on different topics.
        heard_all = silent_since < tracker.last_idle < time.monotonic() - QUIET
        if (tracker.rejected or heard_all) and not tracker.turns and not tracker.hearing:
            raise AgentError(ErrorCode.NO_SPEECH, "No speech was recognized.")
        if deadline.passed or (patience.passed and not tracker.turns):
            raise AgentError(ErrorCode.TIMEOUT, "The robot did not answer in time.")
        client.pause()


class _Clock:
    """Prints lines that begin with the time since the creation of this object, in seconds."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._start = time.monotonic()

    def say(self, line: str) -> None:
        elapsed = time.monotonic() - self._start
        event, _, told = line.partition(" ")
        data = {"time_s": round(elapsed, 3), "event": event, "text": told.strip()}
        show(data, f"{elapsed:7.2f} s  {line}", self._as_json)
