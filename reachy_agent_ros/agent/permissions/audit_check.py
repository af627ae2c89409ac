"""Reads and checks an audit log, also while it is written."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reachy_agent_ros.agent.permissions.audit_log import head_path
from reachy_agent_ros.agent.permissions.audit_record import GENESIS, read_head, unsealed_fault
from reachy_agent_ros.core.errors import AgentError, ErrorCode


@dataclass(frozen=True)
class AuditReport:
    """What a check found.

    Attributes:
        records: Good ones, from the first on.
        fault: What is wrong, None if nothing is.
        first_bad: Number of the first record that is not as it was written, or that is missing; 0 for none.
        last: Hash of the last good record, which stands for all before it too.
    """

    records: int
    fault: str | None = None
    first_bad: int = 0
    last: str = GENESIS


def check(path: Path) -> AuditReport:
    """Checks every record, the chain between them, and the end against the head.

    Raises:
        AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
    """
    head = read_head(head_path(path))  # before the log, which may grow meanwhile
    number, previous, anchored = 0, GENESIS, head is not None and head.count == 0
    for line in _lines(path):
        fault = unsealed_fault(line.removesuffix("\n"), number + 1, previous)
        if fault is None and not line.endswith("\n"):
            fault = "its line has no end"
        if fault is not None:
            return AuditReport(number, f"Record {number + 1} is bad: {_torn(line)}{fault}.", number + 1, previous)
        number, previous = number + 1, json.loads(line)["hash"]
        anchored = anchored or (head is not None and (head.count, head.last) == (number, previous))
    if head is None:
        fault = f"The head file {head_path(path)} is missing or damaged: whether the end is complete is not known."
        return AuditReport(number, fault, last=previous)
    if number < head.count:
        return AuditReport(
            number, f"Records {number + 1} to {head.count} are missing at the end.", number + 1, previous
        )
    if not anchored:
        return AuditReport(number, f"Record {head.count} is not the one that the head names.", head.count, previous)
    return AuditReport(number, last=previous)


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Every record that can be read, oldest first.

    Raises:
        AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
    """
    for line in _lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # said by `check`
        if isinstance(record, dict):
            yield record


def _torn(line: str) -> str:
    return "" if line.endswith("\n") else "it is unfinished, torn by a crash or being written just now; "


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield from file
    except FileNotFoundError:
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no audit log at {path} yet.") from None
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"The audit log cannot be read: {error}.") from error
