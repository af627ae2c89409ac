"""Entry point of `reachy-agent`. Ctrl-C during the imports ends the program without a traceback."""

from __future__ import annotations

import signal
import sys


def main() -> int:
    """Runs the command of the process. Returns its exit code."""
    handler = signal.getsignal(signal.SIGINT)
    if handler is signal.default_int_handler:  # a shell makes the programs that it starts with & ignore Ctrl-C
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from reachy_agent_ros.cli.cli import execute, parsed

    arguments = parsed()
    signal.signal(signal.SIGINT, handler)
    return 0 if arguments is None else execute(arguments)


if __name__ == "__main__":
    sys.exit(main())
