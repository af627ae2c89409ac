"""Speaks a text with the voice of the running robot."""

from __future__ import annotations

import argparse

from reachy_agent_ros.cli.arguments import add_options, decimal, span
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.interrupt import cancelled_by_interrupt
from reachy_agent_ros.cli.output import show
from reachy_agent_ros.core.names import SAY, TTS

GROUP = Group.TALK

HELP = "speak a text with the robot's voice; Ctrl-C ends the speech"

EXAMPLES = (
    'reachy-agent say "Hello, I am Reachy."',
    'reachy-agent say --interrupt --volume 0.5 "Good night."',
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the text and the speech."""
    parser.add_argument("text", nargs="+", help="text")
    parser.add_argument("--voice", default="", metavar="NAME", help="voice (default: the configured one)")
    parser.add_argument(
        "--speed", type=decimal(0.5, 2.0), default=0.0, help="speaking rate, 0.5 to 2; 1 is that of the voice"
    )
    parser.add_argument(
        "--volume", type=decimal(0.01, 1.0), default=0.0, help="volume, up to 1 (default: the configured one)"
    )
    parser.add_argument(
        "--interrupt", action="store_true", help="interrupt current speech instead of waiting for its end"
    )
    parser.add_argument(
        "--timeout", type=span, default="2m", metavar="TIME", help="time limit, with the wait (default: %(default)s)"
    )
    add_options(parser, graph=True)


def run(arguments: argparse.Namespace) -> int:
    """Speaks the text, and waits until it has been spoken.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: no graph is running; `CANCELED`, `TIMEOUT`; or an error of the `tts` node.
    """
    from reachy_agent_msgs.action import Say

    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ActionCaller
    from reachy_agent_ros.ros.rclpy_ext.convert import seconds_of

    goal = Say.Goal(
        text=" ".join(arguments.text),
        voice=arguments.voice,
        speed=arguments.speed,
        volume=arguments.volume,
        interrupt=arguments.interrupt,
    )
    with cancelled_by_interrupt() as token, GraphClient("say", arguments.namespace) as client:
        result = ActionCaller(client.node, Say, SAY, client.watch(TTS)).ask(goal, arguments.timeout, token)
    seconds = seconds_of(result.audio_duration)
    line = {"text": result.spoken_text, "audio_s": round(seconds, 3)}
    show(line, f"Spoke for {seconds:.1f} s.", arguments.json)
    return 0
