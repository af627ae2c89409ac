"""Checks this machine for missing requirements."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import asdict

from reachy_agent_ros.cli.arguments import add_old_option, add_options, whole
from reachy_agent_ros.cli.doctor import CheckResult, CheckStatus
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show, styled

GROUP = Group.RUN

HELP = "check this machine for missing requirements and suggest fixes"

EXAMPLES = (
    "reachy-agent doctor",
    "reachy-agent doctor --endpoint http://127.0.0.1:11434/v1",
)

_MARKS = {"good": "ok", "less": "--", "bad": "!!"}
_STYLES = {"good": "green", "less": "yellow", "bad": "bold red"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the endpoint and the port to check."""
    parser.add_argument(
        "--endpoint",
        default="",
        metavar="URL",
        help="base URL of a model server (default: that of the running graph or of the settings)",
    )
    add_old_option(parser, "--model-endpoint", "endpoint")
    parser.add_argument(
        "--gateway-port",
        type=whole(0, 65535),
        metavar="PORT",
        help="port of the gateway (default: that of the running graph or of the settings)",
    )
    add_options(parser)


def run(arguments: argparse.Namespace) -> int:
    """Prints the result of each check as it completes. Returns 1 if the robot cannot run."""
    verdicts = set()
    for finding in _findings(arguments):
        verdicts.add(finding.verdict)
        show(asdict(finding), _words(finding), arguments.json)
    runs = CheckStatus.BAD not in verdicts
    if not arguments.json:
        print()
        if CheckStatus.LESS in verdicts:
            print(f"Lines marked {_MARKS['less']} are optional.")
        print("The robot can run here: reachy-agent up" if runs else "Fix the lines marked !!, then try again.")
    return 0 if runs else 1


def _findings(arguments: argparse.Namespace) -> Iterator[CheckResult]:
    from reachy_agent_ros.cli.doctor.machine import audio, camera, machine, ports, ros, sandbox, simulation, storage

    yield from ros()
    yield from machine()
    yield from storage()
    yield from simulation()
    yield from audio()
    yield from camera()
    from reachy_agent_ros.cli.doctor.models import language_model, models

    yield from models()
    yield from language_model(arguments.endpoint)
    yield from sandbox()
    from reachy_agent_ros.cli.doctor.permissions import permissions

    yield from permissions()
    yield from ports(arguments.gateway_port)


def _words(finding: CheckResult) -> str:
    mark = styled(_MARKS[finding.verdict], _STYLES[finding.verdict])
    cure = f"\n    {'':20}-> {finding.cure}" if finding.cure else ""
    return f"{mark}  {finding.subject:20}{finding.detail}{cure}"
