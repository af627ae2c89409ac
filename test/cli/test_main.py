"""Tests that the program `reachy-agent` starts correctly."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest


@pytest.mark.parametrize("module", ["reachy_agent_ros.cli.parser", "reachy_agent_ros.cli.commands.env"])
def test_interrupt_during_import_prints_no_traceback(module: str) -> None:
    program = (
        "import os, signal, sys\n"
        "class Interrupter:\n"
        "    def find_spec(self, name, *_):\n"
        f"        if name == {module!r}: os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Interrupter())\n"
        "from reachy_agent_ros.cli.__main__ import main\n"
        "sys.exit(main())"
    )
    ended = subprocess.run([sys.executable, "-c", program, "env"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, "", "")


def test_program_runs_given_command() -> None:
    command = [sys.executable, "-m", "reachy_agent_ros.cli", "env"]
    assert "ROS_STATIC_PEERS" in subprocess.run(command, capture_output=True, text=True, check=True).stdout
