"""What an evaluation is told on the command line."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds who is evaluated and where."""
    parser.add_argument(
        "policies",
        nargs="*",
        default=["expert", "untrained"],
        metavar="POLICY",
        help="expert, untrained, a skill (nod, nod@3) or a file of weights (.npz with --trained-on); "
        "default: expert untrained",
    )
    parser.add_argument("--task", nargs="+", default=[], metavar="TASK", help="default: all that a policy can try")
    parser.add_argument("--trained-on", metavar="TASK", help="the task that a file of weights is for")
    parser.add_argument("--episodes", type=int, default=100, help="from each range of a task (default: %(default)s)")
    parser.add_argument("--physics", type=int, default=5, help="more of each with physics (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the episodes, 0 to 999 (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="folder of the report (default: evaluations in the state directory)")
    parser.add_argument("--json", action="store_true", help="print JSON lines and nothing else")
