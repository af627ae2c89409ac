"""Program that supervises small scripts.

It runs in a separate process, because a supervisor handles all signals.

Arguments: the log directory, then name, script, name, script...
"""

import os
import sys
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.supervision.record import GraphRecord, ProcessRecord
from reachy_agent_ros.supervision.supervised_process import ProcessSpecification
from reachy_agent_ros.supervision.supervisor import Supervisor


def check(_pids: list[int]) -> None:
    if "FAIL_CHECK" in os.environ:
        raise AgentError(ErrorCode.INTERNAL, "the check says no")


def prepare() -> None:
    if "FAIL_PREPARATION" in os.environ:
        raise AgentError(ErrorCode.INVALID_ARGUMENTS, "the settings are invalid")


directory, *pairs = sys.argv[1:]
specifications = [
    ProcessSpecification(name, [sys.executable, "-u", "-c", script], prepare=prepare)
    for name, script in zip(pairs[::2], pairs[1::2], strict=True)
]
record = GraphRecord(ProcessRecord.of(os.getpid()), {"namespace": "/test"}, {})
try:
    sys.exit(Supervisor(specifications, dict(os.environ), record, Path(directory), check, echo=True).run())
except AgentError as error:
    sys.exit(error.message)
