"""Demonstrations of what the simulated robot can do."""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import time
from contextlib import nullcontext, redirect_stdout
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.cli.arguments import add_options
from reachy_agent_ros.cli.commands.up import PROGRAM, own_graph
from reachy_agent_ros.cli.output import Cell, show_json, show_table
from reachy_agent_ros.cli.sentence_prompt import END_WORDS, SentencePrompt
from reachy_agent_ros.core.names import CAMERA, CAPTURE_IMAGE, NAMESPACE
from reachy_agent_ros.core.paths import configuration_file

HELP = "show in simulation what the robot can do, such as obeying a spoken sentence; then take your own sentences"
EXAMPLES = ("reachy-agent demo", "reachy-agent demo --list", "reachy-agent demo correction")

SOUNDS = "demo/look_left.wav"
"""Below `config/`; those of all scenarios are beside it."""

PICTURES = {"robot_sees": "EYE", "robot_seen": "STUDIO"}
"""File name of each picture, and its view in `CaptureImage`."""

PATIENCE = 60.0
"""s for what goes on beside a scenario to end after it."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds what to show, and where the results go."""
    names = tuple(scenario.name for scenario in SCENARIOS)
    parser.add_argument("scenario", nargs="?", choices=names, default=names[0], help="default: %(default)s")
    parser.add_argument("--list", action="store_true", help="only tell which there are")
    parser.add_argument("--out", type=Path, default=Path("out", "demo"), help="folder (default: %(default)s)")
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Runs a scenario in a graph of its own, or in the running graph, which stays up."""
    from reachy_agent_ros.supervision.record import load

    if arguments.list:
        _list(arguments.json)
        return 0
    arguments.out.mkdir(parents=True, exist_ok=True)
    record = load(NAMESPACE)
    with redirect_stdout(sys.stderr) if arguments.json else nullcontext():
        runs = record is not None and record.supervisor.alive
        with nullcontext(0) if runs else own_graph() as code:
            code = code or _demonstrate(arguments)
    if code == 0 and arguments.json:
        files = sorted(arguments.out.iterdir())
        show_json({"scenario": arguments.scenario, "files": files})
    return code


@dataclass(frozen=True)
class DemoStep:
    """One thing that happens.

    Attributes:
        told: Printed before it.
        command: Arguments of `reachy-agent`, in which {sounds} and {out} stand for folders.
        meanwhile: s after which the next step begins although this one still runs; None: after its end.
    """

    told: str
    command: tuple[str, ...]
    meanwhile: float | None = None


@dataclass(frozen=True)
class DemoScenario:
    """One demonstration.

    Attributes:
        name: Argument of the command.
        about: What it shows.
        steps: In order.
    """

    name: str
    about: str
    steps: tuple[DemoStep, ...]


SCENARIOS = (
    DemoScenario(
        "look",
        "a spoken sentence moves the robot, and it answers aloud",
        (
            DemoStep(
                'Somebody says: "Reachy, look left and tell me what you see."',
                ("hear", "{sounds}/look_left.wav", "--out", "{out}/reply.wav"),
            ),
        ),
    ),
    DemoScenario(
        "feelings",
        "it shows what it is asked to feel",
        (
            DemoStep("Somebody wants to see joy.", ("ask", "show me joy")),
            DemoStep("And now fear.", ("ask", "show me fear")),
        ),
    ),
    DemoScenario(
        "stop",
        "one spoken word stops it in the middle of a dance",
        (
            DemoStep("It is asked for a dance.", ("ask", "dance interwoven spirals"), meanwhile=3.0),
            DemoStep('Somebody says: "Stop."', ("hear", "{sounds}/stop.wav")),
        ),
    ),
    DemoScenario(
        "correction",
        "what is said of it changes what it does the next time",
        (
            DemoStep("It nods.", ("ask", "nod")),
            DemoStep('Somebody says: "too big".', ("feedback", "too big")),
            DemoStep("What it made of that:", ("policies", "show", "make_gesture")),
            DemoStep("The same word, and a smaller nod.", ("ask", "nod")),
        ),
    ),
)
"""The first one is what newcomers see."""


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
    print(f"\nWhat came of it, two pictures at least, is in {arguments.out}/.")
    _take_sentences()
    return 0


def _play(scenario: DemoScenario, out: Path) -> int:
    """Does its steps until one fails. Returns the exit code of the last."""
    beside = []
    code = 0
    for step in scenario.steps:
        print(f"\n{step.told}", flush=True)
        if step.meanwhile is not None:
            beside.append(subprocess.Popen([*PROGRAM, *_words(step, out)]))  # noqa: S603 - ourselves
            time.sleep(step.meanwhile)
        elif (code := _command(*_words(step, out))) != 0:
            break
    for process in beside:
        process.wait(PATIENCE)
    return code


def _words(step: DemoStep, out: Path) -> list[str]:
    sounds = configuration_file(SOUNDS).parent
    return [word.format(sounds=sounds, out=out) for word in step.command]


def _take_pictures(out: Path) -> None:
    """Writes what the robot sees, and the robot, as PNG."""
    from PIL import Image
    from reachy_agent_msgs.srv import CaptureImage

    from reachy_agent_ros.ros.client.client import GraphClient
    from reachy_agent_ros.ros.rclpy_ext.calls import ServiceCaller

    with GraphClient("demo", NAMESPACE) as client:
        caller = ServiceCaller(client.node, CaptureImage, CAPTURE_IMAGE, client.watch(CAMERA))
        for name, view in PICTURES.items():
            answer = caller.ask(CaptureImage.Request(view=getattr(CaptureImage.Request, view)), timeout=20.0)
            Image.open(io.BytesIO(bytes(answer.image.data))).save(out / f"{name}.png")


def _take_sentences() -> None:
    """Hands every line that is typed to the agent at once, until the end of input."""
    if not sys.stdin.isatty():
        return
    from reachy_agent_ros.ros.client.client import GraphClient

    with GraphClient("demo", NAMESPACE) as client:
        prompt = SentencePrompt(client)
        print(f'Now you. Try "look right and nod", "show me joy", "stop"; end with "{END_WORDS[0]}" or Ctrl-D.')
        prompt.run()


def _command(*arguments: str) -> int:
    from reachy_agent_ros.cli.cli import main

    return main(arguments)
