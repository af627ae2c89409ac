"""The demonstration: a spoken sentence moves the simulated robot, and it answers aloud."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

HELP = "start the graph in simulation, play a spoken command to it, then take your own sentences"

RECORDING = "demo/look_left.wav"
"""Below `config/`: "Reachy, look left and tell me what you see."."""

PICTURES = {"robot_sees": "EYE", "robot_seen": "STUDIO"}
"""File name of each picture, and its view in `CaptureImage`."""

END_WORDS = ("quit", "exit", "bye")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds where the results go."""
    parser.add_argument("--out", type=Path, default=Path("out", "demo"), help="folder (default: %(default)s)")


def run(arguments: argparse.Namespace) -> int:
    """Runs the demonstration in a graph of its own, or in the one that runs already, which then stays up."""
    from reachy_agent_ros.core.names import NAMESPACE
    from reachy_agent_ros.supervision.record import load

    arguments.out.mkdir(parents=True, exist_ok=True)
    record = load(NAMESPACE)
    if record is not None and record.supervisor.alive:
        return _demonstrate(arguments.out)
    if (code := _command("up", "--detach")) != 0:
        return code
    try:
        return _demonstrate(arguments.out)
    finally:
        _command("down")


def _demonstrate(out: Path) -> int:
    from reachy_agent_ros.core.configuration import configuration_file

    print('\nSomebody says: "Reachy, look left and tell me what you see."')
    if (code := _command("hear", str(configuration_file(RECORDING)), "--out", str(out / "reply.wav"))) != 0:
        return code
    _take_pictures(out)
    print(f"\nThe reply's sound and two pictures are in {out}/.")
    _take_sentences()
    return 0


def _take_pictures(out: Path) -> None:
    """Writes what the robot sees, and the robot, as PNG."""
    import io

    from PIL import Image
    from reachy_agent_msgs.srv import CaptureImage

    from reachy_agent_ros.core.errors import AgentError, ErrorCode
    from reachy_agent_ros.core.names import CAMERA, CAPTURE_IMAGE, NAMESPACE
    from reachy_agent_ros.nodes.calls import ServiceCaller
    from reachy_agent_ros.nodes.client import GraphClient

    with GraphClient("demo", NAMESPACE) as client:
        caller = ServiceCaller(client.node, CaptureImage, CAPTURE_IMAGE, client.watch(CAMERA))
        for name, view in PICTURES.items():
            answer = caller.call(CaptureImage.Request(view=getattr(CaptureImage.Request, view)), timeout=20.0)
            if answer.error_code != ErrorCode.NONE:
                raise AgentError(ErrorCode(answer.error_code), answer.error_msg)
            Image.open(io.BytesIO(bytes(answer.image.data))).save(out / f"{name}.png")


def _take_sentences() -> None:
    """Hands every line that is typed to the agent, until the end of input."""
    if not sys.stdin.isatty():
        return
    print(f'Now you. Try "look right and nod", "show me joy", "stop"; end with "{END_WORDS[0]}" or Ctrl-D.')
    while True:
        try:
            sentence = input("> ").strip()
        except (EOFError, KeyboardInterrupt):
            print()
            return
        if sentence.lower() in END_WORDS:
            return
        if sentence:
            _command("ask", sentence)


def _command(*arguments: str) -> int:
    from reachy_agent_ros.cli import main

    return main(arguments)
