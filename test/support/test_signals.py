"""Signal handlers of child processes: child processes start with the default handlers."""

import os
import signal
import subprocess
import sys

import pytest

from support import MODULE_PATH
from support.signals import ignoring

IGNORED = "from signal import *; print([n.name for n in (SIGINT, SIGHUP) if getsignal(n) == SIG_IGN])"
PARENT = "import subprocess, sys; from support.signals import *; start_children_with_defaults(); "
PARENT += "subprocess.run([sys.executable, '-c', sys.argv[1]])"


@pytest.mark.parametrize(("program", "ignored"), [(IGNORED, "['SIGINT', 'SIGHUP']\n"), (PARENT, "[]\n")])
def test_child_process_does_not_inherit_ignored_signals(program: str, ignored: str) -> None:
    command = ignoring(signal.SIGINT, signal.SIGHUP, command=[sys.executable, "-c", program, IGNORED])
    environment = {**os.environ, "PYTHONPATH": MODULE_PATH}
    assert subprocess.run(command, env=environment, capture_output=True, text=True).stdout == ignored
