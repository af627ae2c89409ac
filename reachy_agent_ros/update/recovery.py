"""Entry point of `update.pyz`, which finishes or undoes an interrupted update."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.update import journal, updater
from reachy_agent_ros.update.checkout import Checkout


def main() -> None:
    """Runs the program. Reads the path of the checkout from the journal, which is next to the program."""
    parser = argparse.ArgumentParser(prog="update.pyz", description="Finishes or undoes an interrupted update.")
    choice = parser.add_mutually_exclusive_group(required=True)
    choice.add_argument("--continue", dest="finish", action="store_true", help="finish the update")
    choice.add_argument("--rollback", action="store_true", help="return to the previous version")
    wanted = parser.parse_args()
    try:
        interrupted = journal.load(Path(sys.argv[0]).resolve().parent)
        if interrupted is None:
            sys.exit("No update was interrupted.")
        act = updater.resume if wanted.finish else updater.roll_back
        done = act(Checkout(Path(interrupted.root)), print)
    except AgentError as error:
        sys.exit(error.message)
    print(f"Version {done.name} is ready.")
