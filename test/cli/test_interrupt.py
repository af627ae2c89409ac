"""Tests of signals to a command that has started a graph."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from support.signals import ignoring

PROGRAM = """
from reachy_agent_ros.cli.commands import env, up
from reachy_agent_ros.cli import cli

def run(arguments):
    with up.own_graph():
        print("it runs", flush=True)
        input()
        print("done", flush=True)
    return 0

def begin_or_end(words):
    print(*words, flush=True)
    return 0

env.run, main, cli.main = run, cli.main, begin_or_end
raise SystemExit(main(["env"]))
"""


@contextmanager
def started(*command: str) -> Iterator[subprocess.Popen[str]]:
    """Starts a program, and yields it after it has started its graph."""
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert [process.stdout.readline(), process.stdout.readline()] == ["up --detach\n", "it runs\n"]
        yield process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_signal_to_command_stops_its_graph(number: signal.Signals) -> None:
    with started(sys.executable, "-c", PROGRAM) as command:
        command.send_signal(number)
        assert command.communicate(timeout=30.0)[0] == "down\n"
    assert command.returncode == 130


def test_ignored_signals_stay_ignored() -> None:
    ignored = (signal.SIGHUP, signal.SIGINT)
    with started(*ignoring(*ignored, command=[sys.executable, "-c", PROGRAM])) as command:
        for number in ignored:
            command.send_signal(number)
        assert command.communicate("\n", timeout=30.0)[0] == "done\ndown\n"
    assert command.returncode == 0
