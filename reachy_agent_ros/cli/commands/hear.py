"""Plays a sound file to the robot and shows what comes of it."""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core import names
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode

if TYPE_CHECKING:
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.graph_printer import GraphPrinter
    from reachy_agent_ros.ros.stt.hearing_messages import SoundFileStream

HELP = "play a sound file to the robot's ears and show what it hears, decides, does and answers"

EXAMPLES = (
    "reachy-agent hear question.wav",
    "reachy-agent hear question.wav --out reply.wav",
)

ANSWER_TIMEOUT = 20.0
"""Seconds from the end of the file in which something has to be understood."""

QUIET = 1.0
"""Seconds after the last turn's end in which another sentence of the same file may still be recognised."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the file, and where the reply goes."""
    parser.add_argument("file", type=Path, help="sound file, any rate")
    parser.add_argument("--out", type=Path, metavar="WAV", help="write the spoken reply to this file")
    parser.add_argument(
        "--no-button", action="store_true", help="do not hold the button to talk: the robot wants to hear its name then"
    )
    parser.add_argument("--timeout", type=float, default=120.0, metavar="SECONDS", help="default: %(default)s")
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Plays the file, prints events, and waits until the reply was spoken. Fails with the turn's own error."""
    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.client.graph_printer import GraphPrinter
    from reachy_agent_ros.ros.stt.hearing_messages import SoundFileStream
    from reachy_agent_ros.ros.tts.playback import PlaybackRecorder

    deadline = Deadline(arguments.timeout)
    with GraphClient("hear", arguments.namespace) as client:
        stream = SoundFileStream(client.node, arguments.file)
        client.watch(names.STT)
        recorder = PlaybackRecorder(client.node)
        narrator = GraphPrinter(client.node, _Clock(arguments.json).say)
        with nullcontext() if arguments.no_button else _button(client):
            _play(client, stream, narrator, deadline)
            _await_answer(client, narrator, deadline)
    if arguments.out:
        seconds = recorder.write(arguments.out)
        words = f"The reply, {seconds:.1f} s of sound, is in {arguments.out}."
        show({"file": arguments.out, "audio_s": round(seconds, 3)}, words, arguments.json)
    return 0


@contextmanager
def _button(client: GraphClient) -> Iterator[None]:
    """Holds the push-to-talk button, so that the sentence need not begin with the robot's name."""
    from std_srvs.srv import SetBool

    from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller

    button = ServiceCaller(client.node, SetBool, names.PUSH_TO_TALK, client.watch(names.AGENT))
    button.call(SetBool.Request(data=True))
    try:
        yield
    finally:
        button.call(SetBool.Request(data=False))


def _play(client: GraphClient, stream: SoundFileStream, narrator: GraphPrinter, deadline: Deadline) -> None:
    """Plays once somebody listens and the robot is silent: while it speaks, its ears are closed to its own voice."""
    while not stream.heard or narrator.speaking:
        if deadline.passed:
            raise AgentError(ErrorCode.AUDIO_UNAVAILABLE, "Nobody listens to the topic audio/capture.")
        client.pause()
    stream.play(CancelToken())


def _await_answer(client: GraphClient, narrator: GraphPrinter, deadline: Deadline) -> None:
    patience = Deadline(ANSWER_TIMEOUT)
    while not (narrator.settled and time.monotonic() - narrator.last_event > QUIET):
        if narrator.rejected and not narrator.turns and not narrator.hearing:
            raise AgentError(ErrorCode.NO_SPEECH, "Nothing was understood.")
        if deadline.passed or (patience.passed and not narrator.turns):
            raise AgentError(ErrorCode.TIMEOUT, "It was not answered in time.")
        client.pause()
    if narrator.turns[-1].error:
        raise AgentError(ErrorCode.INTERNAL, narrator.turns[-1].error)


class _Clock:
    """Prints lines with the seconds since it was made."""

    def __init__(self, as_json: bool) -> None:
        self._as_json = as_json
        self._start = time.monotonic()

    def say(self, line: str) -> None:
        elapsed = time.monotonic() - self._start
        event, _, told = line.partition(" ")
        data = {"time_s": round(elapsed, 3), "event": event, "text": told.strip()}
        show(data, f"{elapsed:7.2f} s  {line}", self._as_json)
