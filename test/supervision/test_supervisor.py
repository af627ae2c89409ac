from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import psutil
import pytest

from reachy_agent_ros.supervision.record import GraphRecord, load
from reachy_agent_ros.supervision.restart_request import RESTART_SIGNAL, request_restart
from support import TEST
from support.logged_process import LoggedProcess
from support.signals import ignoring
from support.waiting import wait_until

DRIVER = TEST / "support/supervised.py"

POLITE = "import signal\nsignal.signal(signal.SIGINT, lambda *_: exit(0))\nprint('up')\nsignal.pause()"
STUBBORN = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nprint('up')\nwhile True: signal.pause()"
DEAF = "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + STUBBORN
FAILING = "exit('Cannot start: no voice')"


class Supervised:
    """Supervisor process that runs small scripts instead of nodes."""

    def __init__(self, directory: Path, scripts: dict[str, str], ignored: Sequence[signal.Signals] = ()) -> None:
        arguments = [text for pair in scripts.items() for text in pair]
        command = [sys.executable, str(DRIVER), str(directory), *arguments]
        self.process = LoggedProcess(ignoring(*ignored, command=command) if ignored else command, "supervisor")

    @property
    def output(self) -> str:
        return self.process.output

    @property
    def record(self) -> GraphRecord:
        record = load("/test")
        assert record is not None
        return record

    def wait_for(self, text: str) -> None:
        wait_until(lambda: text in self.output, f"{text!r} in the output")

    def stop(self, number: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(number)
        return self.process.wait(20.0)


@pytest.fixture
def supervise(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Supervised]]:
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path / "runtime"))
    started: list[Supervised] = []

    def start(*ignored: signal.Signals, **scripts: str) -> Supervised:
        started.append(Supervised(tmp_path, scripts, ignored))
        return started[-1]

    yield start
    for supervised in started:
        if supervised.process.poll() is None:
            supervised.stop(signal.SIGTERM)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signal_ends_all_processes_and_removes_graph_record(supervise, number):
    supervised = supervise(first=POLITE, second=POLITE)
    supervised.wait_for("[first]  up")
    supervised.wait_for("[second] up")
    pids = [node.pid for node in supervised.record.nodes.values()]
    assert supervised.stop(number) == 0
    assert load("/test") is None
    assert not any(psutil.pid_exists(pid) for pid in pids)


def test_supervisor_restarts_killed_process(supervise):
    supervised = supervise(node=POLITE)
    supervised.wait_for("[node] up")
    first = supervised.record.nodes["node"]
    os.kill(first.pid, signal.SIGKILL)
    wait_until(lambda: supervised.record.nodes["node"].restarts == 1, "the restart")
    assert supervised.record.nodes["node"].pid != first.pid
    assert supervised.record.nodes["node"].last_end == "killed by SIGKILL"
    wait_until(lambda: supervised.output.count("[node] up") == 2, "the second start")


def test_supervisor_restarts_only_requested_process(supervise):
    supervised = supervise(first=POLITE, second=POLITE)
    supervised.wait_for("[second] up")
    before = supervised.record
    request_restart(before, ["second"])
    wait_until(lambda: supervised.record.nodes["second"].pid != before.nodes["second"].pid, "the restart")
    wait_until(lambda: supervised.output.count("[second] up") == 2, "the second start")
    assert supervised.record.nodes["first"] == before.nodes["first"]
    assert not psutil.pid_exists(before.nodes["second"].pid)
    assert "restarting on request" in supervised.output
    assert supervised.stop() == 0


def test_failed_preparation_prevents_restart_on_request(supervise, monkeypatch):
    monkeypatch.setenv("FAIL_PREPARATION", "1")
    supervised = supervise(node=POLITE)
    supervised.wait_for("[node] up")
    before = supervised.record
    request_restart(before, ["node"])
    supervised.wait_for("No node was restarted: the settings are invalid")
    assert supervised.record.nodes == before.nodes


def test_signal_without_restart_request_does_not_restart_nodes(supervise):
    supervised = supervise(node=POLITE)
    supervised.wait_for("[node] up")
    before = supervised.record
    supervised.process.send_signal(RESTART_SIGNAL)
    request_restart(before, ["other"])
    assert supervised.stop() == 0
    assert supervised.output.count("[node] up") == 1


def test_many_signals_in_a_row_do_not_block_supervisor(supervise):
    supervised = supervise(node=POLITE)
    supervised.wait_for("[node] up")
    for _ in range(20_000):
        supervised.process.send_signal(RESTART_SIGNAL)
    assert supervised.stop() == 0


def test_restart_delay_grows_after_repeated_failures(supervise):
    supervised = supervise(node=FAILING)
    for delay in ("0.1", "0.2", "0.4"):
        supervised.wait_for(f"restarting in {delay} s")
    assert supervised.record.nodes["node"].last_end == "ended with code 1: Cannot start: no voice"


def test_supervisor_stops_processes_in_reverse_order(supervise):
    talks = "import signal\nsignal.signal(signal.SIGINT, lambda *_: exit('bye'))\nprint('up')\nsignal.pause()"
    supervised = supervise(bridge=talks, agent=talks)
    supervised.wait_for("[bridge] up")
    supervised.wait_for("[agent]  up")
    assert supervised.stop() == 1
    assert supervised.output.index("[agent]  bye") < supervised.output.index("[bridge] bye")


def test_supervisor_terminates_process_that_ignores_interrupts(supervise):
    supervised = supervise(node=STUBBORN)
    supervised.wait_for("up")
    assert supervised.stop() == 1
    assert "killed by SIGTERM" in supervised.output


def test_second_signal_kills_unresponsive_process(supervise):
    supervised = supervise(node=DEAF)
    supervised.wait_for("up")
    supervised.process.send_signal(signal.SIGINT)
    supervised.process.send_signal(signal.SIGTERM)
    assert supervised.process.wait(20.0) == 1
    assert "killed by SIGKILL" in supervised.output


def test_signals_ignored_before_start_stay_ignored_except_sigterm(supervise):
    waits = "import time\ntry:\n  print('up')\n  time.sleep(600)\nexcept KeyboardInterrupt: pass"
    supervised = supervise(signal.SIGINT, signal.SIGHUP, node=waits)
    supervised.wait_for("up")
    supervised.process.send_signal(signal.SIGINT)
    supervised.process.send_signal(signal.SIGHUP)
    assert supervised.stop(signal.SIGTERM) == 0, supervised.output  # a second signal would kill the node


def test_child_processes_of_node_end_with_node(supervise):
    supervised = supervise(node="import subprocess, signal\nprint(subprocess.Popen(['sleep', '600']).pid)\n" + POLITE)
    supervised.wait_for("up")
    grandchild = int(supervised.output.split("[node] ")[1].split()[0])
    assert supervised.stop() == 0
    wait_until(lambda: not psutil.pid_exists(grandchild), "the grandchild's end")


def test_failed_startup_check_stops_all_processes(supervise, monkeypatch):
    monkeypatch.setenv("FAIL_CHECK", "1")
    supervised = supervise(node=POLITE)
    assert supervised.process.wait(30.0) == 1
    assert "the check says no" in supervised.output
    assert load("/test") is None


def test_every_process_has_separate_log(supervise, tmp_path):
    supervised = supervise(node=POLITE)
    supervised.wait_for("up")
    wait_until(lambda: (tmp_path / "node.log").read_text().endswith(" up\n"), "the log file")


def test_log_files_are_readable_only_by_user(supervise, tmp_path):
    supervised = supervise(node=f"open({str(tmp_path / 'made')!r}, 'w')\n" + POLITE)
    supervised.wait_for("up")
    assert (tmp_path / "made").stat().st_mode & 0o077 == 0
