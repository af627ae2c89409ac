"""Command-line arguments of an evaluation."""

from __future__ import annotations

import argparse
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments for policies, tasks, episodes and output to a parser."""
    parser.add_argument(
        "policies",
        nargs="*",
        default=["expert", "untrained"],
        metavar="POLICY",
        help="expert, untrained, a skill (nod, nod@3) or a weights file (.npz with --trained-on); "
        "default: expert untrained",
    )
    parser.add_argument("--task", nargs="+", default=[], metavar="TASK", help="default: all that fit the policy")
    parser.add_argument("--trained-on", metavar="TASK", help="training task of a weights file")
    parser.add_argument(
        "--episodes", type=int, default=100, help="number for each range, at most 1000 (default: %(default)s)"
    )
    parser.add_argument("--physics", type=int, default=5, help="number with physics (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the episodes, 0 to 999 (default: %(default)s)")
    parser.add_argument("--out", type=Path, help="report folder (default: one in evaluations of the state directory)")
