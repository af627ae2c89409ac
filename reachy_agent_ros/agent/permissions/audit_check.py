"""Verifies an audit log. Other processes may write to the log at the same time."""

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
    """Result of the verification of an audit log.

    Attributes:
        records: Number of valid records before the first error.
        fault: Description of the error, None if there is none.
        first_bad: Number of the first changed or missing record; 0 if none is known.
        last: Hash of the last valid record, which depends on all records before it.
    """

    records: int
    fault: str | None = None
    first_bad: int = 0
    last: str = GENESIS


def check(path: Path) -> AuditReport:
    """Verifies every record and the hash chain, and compares the last record with the head file.

    Raises:
        AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
    """
    head = read_head(head_path(path))  # before the log, which may grow in the meantime
    number, previous, anchored = 0, GENESIS, head is not None and head.count == 0
    for line in _lines(path):
        fault = unsealed_fault(line.removesuffix("\n"), number + 1, previous)
        if fault is None and not line.endswith("\n"):
            fault = "its line end is missing"
        if fault is not None:
            return AuditReport(number, f"Record {number + 1} is invalid: {_torn(line)}{fault}.", number + 1, previous)
        number, previous = number + 1, json.loads(line)["hash"]
        anchored = anchored or (head is not None and (head.count, head.last) == (number, previous))
    if head is None:
        fault = f"The head file {head_path(path)} is missing or damaged, so records may be missing at the end."
        return AuditReport(number, fault, last=previous)
    if number < head.count:
        return AuditReport(
            number, f"Records {number + 1} to {head.count} are missing at the end.", number + 1, previous
        )
    if not anchored:
        return AuditReport(number, f"Record {head.count} does not match the head file.", head.count, previous)
    return AuditReport(number, last=previous)


def records(path: Path) -> Iterator[dict[str, Any]]:
    """Yields every readable record of an audit log, oldest first.

    Raises:
        AgentError: `NOT_FOUND`, `STORAGE_FAILED`.
    """
    for line in _lines(path):
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue  # `check` reports it
        if isinstance(record, dict):
            yield record


def _torn(line: str) -> str:
    return "" if line.endswith("\n") else "it is incomplete, either torn by a crash or still being written; "


def _lines(path: Path) -> Iterator[str]:
    try:
        with path.open(encoding="utf-8", errors="backslashreplace", newline="\n") as file:
            yield from file
    except FileNotFoundError:
        raise AgentError(ErrorCode.NOT_FOUND, f"There is no audit log at {path} yet.") from None
    except OSError as error:
        raise AgentError(ErrorCode.STORAGE_FAILED, f"The audit log cannot be read: {error}.") from error
