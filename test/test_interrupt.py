"""What a command began is ended with it, whoever ends it."""

import signal
import subprocess
import sys

import pytest

PROGRAM = """
import signal
from reachy_agent_ros import own_graph
from reachy_agent_ros.commands import env
from reachy_agent_ros import cli

def run(arguments):
    with own_graph.own_graph():
        print("it runs", flush=True)
        signal.pause()

def begin_or_end(words):
    print(*words, flush=True)
    return 0

env.run, main, cli.main = run, cli.main, begin_or_end
raise SystemExit(main(["env"]))
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT], ids=lambda number: number.name)
def test_a_command_that_is_ended_ends_the_graph_that_it_started(number: signal.Signals) -> None:
    command = subprocess.Popen([sys.executable, "-c", PROGRAM], stdout=subprocess.PIPE, text=True)
    assert command.stdout is not None
    with command.stdout as told:
        assert [told.readline(), told.readline()] == ["up --detach\n", "it runs\n"]
        command.send_signal(number)
        assert told.read() == "down\n"
    assert command.wait(30.0) == 130
