"""Searches and checks the audit log of tool calls."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reachy_agent_ros.cli.arguments import add_options, moment
from reachy_agent_ros.cli.groups import Group
from reachy_agent_ros.cli.output import show, show_json
from reachy_agent_ros.core.paths import state_directory

if TYPE_CHECKING:
    from reachy_agent_ros.agent.permissions.audit_check import AuditReport

GROUP = Group.INSPECT

HELP = "search or verify the audit log of tool calls"

EXAMPLES = (
    "reachy-agent audit --since 10m",
    "reachy-agent audit --tool move_head --json",
    "reachy-agent audit --check",
)

LATEST = 1e11
"""Latest plausible time of a record, s since the epoch. A damaged record may contain any number."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the filters, the integrity check and the output format."""
    parser.add_argument("--search", metavar="TEXT", default="", help="only records with this text, ignoring case")
    parser.add_argument("--tool", metavar="NAME", help="only records of this tool")
    parser.add_argument(
        "--since",
        metavar="WHEN",
        type=moment,
        default=0.0,
        help="only records since then: 90s, 10m, 2h, 7d or an ISO 8601 date",
    )
    parser.add_argument("--check", action="store_true", help="verify that no record was changed, added or removed")
    add_options(parser)
    parser.add_argument("--log", type=Path, metavar="FILE", help="another log file (default: that of the robot)")


def run(arguments: argparse.Namespace) -> int:
    """Prints the records, or the result of the check. Returns 1 if the check finds a fault.

    Raises:
        AgentError: `NOT_FOUND`: the log does not exist; `STORAGE_FAILED`: it is unreadable.
    """
    from reachy_agent_ros.agent.permissions.audit_check import check, records

    path = arguments.log or state_directory() / "audit.jsonl"
    if arguments.check:
        return _tell(check(path), arguments.json)
    for record in records(path):
        if _wanted(record, arguments):
            show(record, _words(record), arguments.json)
    return 0


def _tell(report: AuditReport, as_json: bool) -> int:
    if as_json:
        show_json(asdict(report))
    elif report.fault is None:
        print(f"All {report.records} records are intact. Hash of the last one: {report.last}")
    else:
        print(f"{report.fault} The {report.records} records before that are intact.", file=sys.stderr)
    return int(report.fault is not None)


def _wanted(record: Mapping[str, Any], arguments: argparse.Namespace) -> bool:
    moment = record.get("time")
    recent = isinstance(moment, int | float) and arguments.since <= moment < LATEST
    named = arguments.tool in (None, record.get("tool"))
    text = " ".join(str(value) for value in record.values()).casefold()
    return recent and named and arguments.search.casefold() in text


def _words(record: Mapping[str, Any]) -> str:
    moment = datetime.fromtimestamp(record["time"]).astimezone().isoformat(sep=" ", timespec="seconds")
    what = " ".join(str(record.get(key, "")) for key in ("event", "outcome", "tool", "arguments_json")).strip()
    why = [str(record[key]) for key in ("who", "rule", "reason") if record.get(key)]
    if record.get("asked_by"):
        why.append(f"requested with {record['asked_by']}")
    if record.get("decided_by") and record["decided_by"] != record.get("who"):
        why.append(f"decided by {record['decided_by']}")
    return f"{record.get('number')} {moment} {what} ({'; '.join(why)})"
