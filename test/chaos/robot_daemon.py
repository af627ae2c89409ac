"""Reachy Mini daemon with a mock robot, on this machine or on a simulated machine."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

from chaos.network.other_machine import OtherMachine
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.robot.daemon_api import DaemonApi

EXECUTABLE = Path(__file__).parents[2] / ".venv-daemon" / "bin" / "reachy-mini-daemon"
PATIENCE = 60.0  # s, until the daemon runs
QUIET = ("--no-media", "--no-wake-up-on-start", "--no-goto-sleep-on-stop", "--dataset-update-interval", "0")


class RobotDaemon:
    """Context manager for the daemon process.

    Call `start` to start the daemon. The daemon is killed at the end of the context.

    Args:
        address: IP address on which the daemon listens.
        port: TCP port of the daemon.
        machine: Machine on which the daemon runs; None for this one.
    """

    def __init__(self, address: str, port: int, machine: OtherMachine | None = None) -> None:
        self.url = f"http://{address}:{port}"
        place = ["--fastapi-host", address, "--fastapi-port", str(port)]
        command = [str(EXECUTABLE), "--mockup-sim", *QUIET, *place]
        self._command = machine.command(*command) if machine else command
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> RobotDaemon:
        """Returns the daemon without starting it."""
        return self

    def __exit__(self, *_: object) -> None:
        """Kills the daemon if it is running."""
        self.kill()

    def start(self) -> None:
        """Starts the daemon and waits until it responds.

        Raises:
            AssertionError: The daemon exited, or did not respond in time.
        """
        with tempfile.TemporaryFile() as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=log)
            patience = Deadline(PATIENCE)
            while not self._runs():
                if self._process.poll() is not None:
                    log.seek(0)
                    raise AssertionError(f"The daemon exited: {log.read().decode(errors='replace')[-500:]}")
                assert not patience.passed, "the daemon does not respond"

    def kill(self) -> None:
        """Kills the daemon without a clean shutdown, if it is running."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def _runs(self) -> bool:
        api = DaemonApi(self.url)
        try:
            return bool(api.status()["state"] == "running")
        except AgentError:
            return False
        finally:
            api.close()
