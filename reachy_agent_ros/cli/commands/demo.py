"""Runs demo scenarios on the simulated robot."""

from __future__ import annotations

import argparse
import subprocess
import sys
import time
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.commands.chat import Chat
from reachy_agent_ros.cli.commands.up import PROGRAM, own_graph
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import Cell, show_json, show_table
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.names import CAMERA, CAPTURE_IMAGE, NAMESPACE
from reachy_agent_ros.core.paths import configuration_file, temporary_state_directory

GROUP = Group.RUN

HELP = "run a demo in simulation, such as a spoken command, then accept your own sentences"
EXAMPLES = ("reachy-agent demo", "reachy-agent demo --list", "reachy-agent demo correction")

SOUNDS = "demo/look_left.wav"
"""Path below `config/`. The folder contains the sounds of all scenarios."""

PICTURES = {"robot_sees": "EYE", "robot_seen": "STUDIO"}
"""`CaptureImage` view of each picture, by file name."""

PATIENCE = 60.0
"""Time for parallel steps to end after a scenario, s."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for the scenario and the output folder."""
    names = tuple(scenario.name for scenario in SCENARIOS)
    parser.add_argument("scenario", nargs="?", choices=names, default=names[0], help="scenario (default: %(default)s)")
    parser.add_argument("--list", action="store_true", help="list the scenarios")
    parser.add_argument("--out", type=Path, default=Path("out", "demo"), help="folder (default: %(default)s)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs a scenario in its own graph with a temporary state directory.

    Raises:
        AgentError: `SERVER_UNAVAILABLE`: a graph is already running, and the scenario would change what its robot has
            learned.
    """
    from reachy_agent_ros.supervision.record import load

    if arguments.list:
        _list(arguments.json)
        return 0
    record = load(NAMESPACE)
    if record is not None and record.alive:
        message = "A graph is already running, and a demo would change its data. Stop it first: reachy-agent down"
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, message)
    arguments.out.mkdir(parents=True, exist_ok=True)
    with (
        redirect_stdout(sys.stderr) if arguments.json else nullcontext(),
        temporary_state_directory(),
        own_graph() as code,
    ):
        code = code or _demonstrate(arguments)
    if code == 0 and arguments.json:
        files = sorted(arguments.out.iterdir())
        show_json({"scenario": arguments.scenario, "files": files})
    return code


@dataclass(frozen=True)
class DemoStep:
    """Step of a demo scenario: a `reachy-agent` command with an introduction.

    Attributes:
        told: Text that is printed before the step.
        command: Arguments of `reachy-agent`, in which {sounds} and {out} are replaced by folders.
        overlap: Time after which the next step begins in parallel, s; None to wait for the end of this step.
    """

    told: str
    command: tuple[str, ...]
    overlap: float | None = None


@dataclass(frozen=True)
class DemoScenario:
    """Demo scenario: a named sequence of steps.

    Attributes:
        name: Argument of the command.
        about: Description.
        steps: Steps in order.
    """

    name: str
    about: str
    steps: tuple[DemoStep, ...]


SCENARIOS = (
    DemoScenario(
        "look",
        "the robot obeys a spoken sentence and answers aloud",
        (
            DemoStep(
                'A person says: "Reachy, look left and tell me what you see."',
                ("hear", "{sounds}/look_left.wav", "--out", "{out}/reply.wav"),
            ),
        ),
    ),
    DemoScenario(
        "feelings",
        "the robot shows emotions on request",
        (
            DemoStep("A person asks for joy.", ("ask", "show me joy")),
            DemoStep("A person asks for fear.", ("ask", "show me fear")),
        ),
    ),
    DemoScenario(
        "stop",
        "a spoken word stops the robot during a dance",
        (
            DemoStep("A person asks for a dance.", ("ask", "dance interwoven spirals"), overlap=3.0),
            DemoStep('A person says: "Stop."', ("hear", "{sounds}/stop.wav")),
        ),
    ),
    DemoScenario(
        "correction",
        "the robot changes its behavior after spoken feedback",
        (
            DemoStep("The robot nods.", ("ask", "nod")),
            DemoStep('A person says: "too big".', ("feedback", "too big")),
            DemoStep("The robot has learned a new version:", ("skills", "show", "make_gesture")),
            DemoStep("The same command now leads to a smaller nod.", ("ask", "nod")),
        ),
    ),
)
"""Scenarios; the first one is the default."""


def _list(as_json: bool) -> None:
    if as_json:
        for scenario in SCENARIOS:
            show_json({"name": scenario.name, "about": scenario.about})
        return
    show_table(("SCENARIO", "SHOWS"), ((Cell(scenario.name, "bold"), scenario.about) for scenario in SCENARIOS))


def _demonstrate(arguments: argparse.Namespace) -> int:
    scenario = next(one for one in SCENARIOS if one.name == arguments.scenario)
    if (code := _play(scenario, arguments.out)) != 0:
        return code
    _take_pictures(arguments.out)
    print(f"\nSaved the results, including two pictures, to {arguments.out}/.")
    _take_sentences()
    return 0


def _play(scenario: DemoScenario, out: Path) -> int:
    """Runs the steps of a scenario until one fails. Returns the exit code of the last step."""
    beside = []
    code = 0
    for step in scenario.steps:
        print(f"\n{step.told}", flush=True)
        if step.overlap is not None:
            beside.append(subprocess.Popen([*PROGRAM, *_words(step, out)]))  # noqa: S603 - ourselves
            time.sleep(step.overlap)
        elif (code := _command(*_words(step, out))) != 0:
            break
    for process in beside:
        process.wait(PATIENCE)
    return code


def _words(step: DemoStep, out: Path) -> list[str]:
    sounds = configuration_file(SOUNDS).parent
    return [word.format(sounds=sounds, out=out) for word in step.command]


def _take_pictures(out: Path) -> None:
    """Saves the robot's camera image, and an image of the robot, as PNG files."""
    from PIL import Image
    from reachy_agent_msgs.srv import CaptureImage

    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller
    from reachy_agent_ros.vision.image_file import decode_image

    with GraphClient("demo", NAMESPACE) as client:
        caller = ServiceCaller(client.node, CaptureImage, CAPTURE_IMAGE, client.watch(CAMERA))
        for name, view in PICTURES.items():
            answer = caller.ask(CaptureImage.Request(view=getattr(CaptureImage.Request, view)), timeout=20.0)
            Image.fromarray(decode_image(bytes(answer.image.data))).save(out / f"{name}.png")


def _take_sentences() -> None:
    """Runs a chat until the user leaves it. Does nothing if standard input is not a terminal."""
    if not sys.stdin.isatty():
        return
    from reachy_agent_ros.ros.client.client import GraphClient

    with GraphClient("demo", NAMESPACE) as client:
        chat = Chat(client, NAMESPACE)
        print('Your turn: try "look right and nod", "show me joy", "stop". help lists commands, /quit leaves.')
        chat.run()


def _command(*arguments: str) -> int:
    from reachy_agent_ros.cli.cli import main

    return main(arguments)
