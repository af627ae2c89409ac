"""Records of the audit log, and the head file that identifies the last record.

Each record contains the hash of the previous record, which reveals changes. The head file reveals missing records at
the end, which the log alone cannot reveal.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reachy_agent_ros.core.errors import AgentError, ErrorCode

GENESIS = "0" * 64
"""Value of the previous record's hash in the first record."""

FORMAT = 1
"""Version of the record format; increased when earlier versions of the program cannot read the records."""

LONGEST_TEXT = 4000
"""Maximum length of the arguments, the reason or the tool, characters. The length and SHA-256 of longer text follow."""


@dataclass(frozen=True)
class AuditEntry:
    """Content of one audit record, before the log adds a number and a hash.

    Attributes:
        event: Subject: `call`, `answer`, `grant`, `revoke`, `review` (of a generated tool), `stop` or `repair`.
        outcome: `allowed`, `asked`, `approved`, `refused`, `withdrawn`, `granted`, `revoked`, `rejected`, `stopped` or
            `torn`. An answer is `rejected` if the principal may not decide.
        who: Agent that requested the call, or person who decided or stopped the robot.
        tool: Name of the tool.
        arguments_json: Arguments of the call, a JSON object.
        tier: Permission tier of the call.
        rule: Description of the rule that determined the decision.
        grant: Id of the grant that made the question unnecessary.
        approval: Id of the question to a person.
        reason: Reason for the decision, for people.
        session_id: Conversation of the call.
        turn_id: Turn of the call.
        asked_by: Token with which the call was requested, empty if none.
        decided_by: Name of the person who allowed the call, answered or changed the grant, and the channel; else empty.
        origin: Provenance labels of the requester's context, in one line.
    """

    event: str
    outcome: str
    who: str = ""
    tool: str = ""
    arguments_json: str = ""
    tier: str = ""
    rule: str = ""
    grant: str = ""
    approval: str = ""
    reason: str = ""
    session_id: str = ""
    turn_id: str = ""
    asked_by: str = ""
    decided_by: str = ""
    origin: str = ""


def canonical(content: Any) -> str:
    """Returns canonical JSON: sorted keys, no whitespace, ASCII only."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sealed(content: dict[str, Any]) -> dict[str, Any]:
    """Returns a record with the SHA-256 of its other fields."""
    return {**content, "hash": _digest(canonical(content))}


def unsealed_fault(line: str, number: int, previous: str) -> str | None:
    """Verifies one line of the audit log, its hash, and its position in the chain.

    Args:
        line: Line without its line ending.
        number: Expected number of the record, from 1.
        previous: Hash of the previous record.

    Returns:
        Description of the error, None if there is none.
    """
    try:
        record = json.loads(line)
        content = {key: value for key, value in record.items() if key != "hash"}
        written = canonical(record)
    except (ValueError, AttributeError, RecursionError):
        return "it is not a JSON object"
    if is_later(record):
        return "it was written by a later version of this program"
    if record.get("number") != number:
        return f"its number is {record.get('number')!r:.40}: records are missing, repeated or in the wrong order"
    if record.get("previous") != previous:
        return "it does not follow from the previous record"
    if record.get("hash") != _digest(canonical(content)):
        return "its content was changed after it was written"
    return None if written == line else "it is not canonical JSON"


def is_later(record: dict[str, Any]) -> bool:
    """Returns whether a record was written by a later version of this program.

    Records of old versions contain no format number.
    """
    version = record.get("format", 0)
    return isinstance(version, int) and version > FORMAT


def shortened(text: str) -> str:
    """Truncates a text that is longer than `LONGEST_TEXT`, and appends its original length and SHA-256."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\u2026 ({len(text)} characters, SHA-256 {_digest(text)})"


def _digest(text: str) -> str:
    """Returns the SHA-256 of a text in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


_SLOT = 512
"""Size of each of the two slots, bytes: a disk sector, so that a torn write damages only one slot."""


@dataclass(frozen=True)
class Head:
    """Number and hash of the last record in the log.

    Attributes:
        count: Number of the last record; 0 if there is none.
        last: Hash of the last record.
    """

    count: int = 0
    last: str = GENESIS


def read_head(path: Path) -> Head | None:
    """Reads the head file of a log. Returns None if the file is missing or both of its slots are damaged.

    Raises:
        AgentError: `STORAGE_FAILED`: the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        content = b""
    except OSError as error:
        message = f"The head file of the audit log cannot be read: {error}. Make it a readable file."
        raise AgentError(ErrorCode.STORAGE_FAILED, message) from error
    heads = [_read_slot(content[start : start + _SLOT]) for start in (0, _SLOT)]
    return max((head for head in heads if head is not None), key=lambda head: head.count, default=None)


def write_head(file: int, head: Head) -> None:
    """Writes the number and hash of the last record to the older of the two slots. Waits until they are on disk.

    Args:
        file: Descriptor of the head file.
        head: New head.
    """
    slot = canonical({"count": head.count, "last": head.last, "check": _check(head)}).encode()
    os.pwrite(file, slot.ljust(_SLOT - 1) + b"\n", head.count % 2 * _SLOT)
    os.fdatasync(file)


def _read_slot(slot: bytes) -> Head | None:
    try:
        content = json.loads(slot)
        head = Head(content["count"], content["last"])
        return head if content["check"] == _check(head) else None
    except (ValueError, KeyError, TypeError):
        return None


def _check(head: Head) -> str:
    return _digest(f"{head.count} {head.last}")[:16]
