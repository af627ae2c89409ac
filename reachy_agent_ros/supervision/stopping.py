"""Ends processes that are not our children."""

from __future__ import annotations

import os
import signal
from collections.abc import Sequence
from contextlib import suppress

import psutil

from reachy_agent_ros.supervision.record import ProcessRecord


def stop_processes(records: Sequence[ProcessRecord], grace: float = 6.0) -> None:
    """Ends processes: SIGTERM, once more after `grace` seconds, SIGKILL for them and their groups after as many again.

    Not SIGINT, which a supervisor ignores that was started in the background of a script. Processes that have ended,
    and others that have their ids now, are left alone.
    """
    for _ in range(2):
        processes = [psutil.Process(record.pid) for record in records if record.alive]
        for process in processes:
            with suppress(psutil.NoSuchProcess):
                process.send_signal(signal.SIGTERM)
        psutil.wait_procs(processes, timeout=grace)
    for record in records:
        if record.alive:
            with suppress(ProcessLookupError):
                os.killpg(record.pid, signal.SIGKILL)
