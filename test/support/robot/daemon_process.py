"""Reachy Mini daemon in a child process of a test."""

from __future__ import annotations

import socket
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.robot.daemon_api import DaemonApi
from support import ROOT, failure_report
from support.waiting import wait_until

EXECUTABLE = ROOT / ".venv-daemon/bin/reachy-mini-daemon"

START_TIMEOUT = 60.0
STOP_TIMEOUT = 20.0


class DaemonProcess:
    """Reachy Mini daemon without media support, on a free port that stays the same after a restart."""

    def __init__(self, log: Path, *mode: str) -> None:
        if not EXECUTABLE.exists():
            pytest.skip("the daemon's environment is missing: run scripts/daemon-environment")
        self.url = f"http://127.0.0.1:{_free_port()}"
        self._log = log
        self._mode = mode
        self._process: subprocess.Popen[bytes] | None = None
        failure_report.register(self)

    def start(self) -> None:
        quiet = ["--no-media", "--no-wake-up-on-start", "--no-goto-sleep-on-stop", "--dataset-update-interval", "0"]
        command = [str(EXECUTABLE), *self._mode, *quiet, "--fastapi-port", self.url.rpartition(":")[2]]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log)
        wait_until(self._runs, "the daemon to run", timeout=START_TIMEOUT)

    def kill(self) -> None:
        """Kills the daemon, as in a crash."""
        if self._process is not None:
            self._process.kill()
            self._process.wait(STOP_TIMEOUT)

    def describe(self) -> str:
        """Returns whether the daemon is running, and the last lines of its log."""
        state = "was not started" if self._process is None else f"has the exit code {self._process.poll()}"
        return f"the daemon at {self.url} {state}. {failure_report.last_lines(self._log)}"

    def _runs(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.describe()
        api = DaemonApi(self.url)
        try:
            return api.status()["state"] == "running"
        except AgentError:
            return False
        finally:
            api.close()


@contextmanager
def running(folder: Path, *mode: str) -> Iterator[DaemonProcess]:
    """Runs a daemon during a `with` block, with its log in `folder`."""
    daemon = DaemonProcess(folder / "daemon.log", *mode)
    try:
        daemon.start()
        yield daemon
    finally:
        daemon.kill()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
