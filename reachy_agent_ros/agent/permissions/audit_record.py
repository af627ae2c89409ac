"""One line of the audit log, and the file beside the log that says how far it reaches.

Each record holds the hash of the one before it, which shows changes. The head file shows whether the last records are
missing, which the log alone cannot.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

GENESIS = "0" * 64
"""What the first record holds for the hash of the one before it."""

FORMAT = 1
"""Version of a record's format; it increases when earlier versions of the program could not read the records."""

LONGEST_TEXT = 4000
"""Characters of one field that are kept; of the rest its length and SHA-256."""


@dataclass(frozen=True)
class AuditEntry:
    """One decision, before it has its place in the log.

    Attributes:
        event: What was decided about: `call`, `answer`, `grant`, `revoke`, `review` (of a generated tool) or `repair`.
        outcome: How: `allowed`, `asked`, `approved`, `refused`, `withdrawn`, `granted`, `revoked`, `rejected` or
            `torn`. An answer is `rejected` where who gave it may not decide.
        who: Agent that wanted it, or person that decided.
        tool: What was to be called.
        arguments_json: With what.
        tier: What it needed.
        rule: The rule that decided, in words.
        grant: Id of the grant that lifted the question.
        approval: Id of the question to a person.
        reason: Why, in words for people.
        session_id: Conversation.
        turn_id: Turn.
        asked_by: Token that the call was asked for with, empty if none.
        decided_by: Who said yes or no, and in which way; empty where nobody had to.
        origin: Provenance labels of what was in the context of whoever wanted it, in one line.
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
    """The one way to write something as JSON: sorted keys, no blanks, ASCII only."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sealed(content: dict[str, Any]) -> dict[str, Any]:
    """A record with its own SHA-256, taken over everything else in it."""
    return {**content, "hash": _digest(canonical(content))}


def unsealed_fault(line: str, number: int, previous: str) -> str | None:
    """What is wrong with a line of the log.

    Args:
        line: The line, without its end.
        number: Which one it must be, from 1.
        previous: Hash of the record before it.

    Returns:
        The fault in words, None if there is none.
    """
    try:
        record = json.loads(line)
        content = {key: value for key, value in record.items() if key != "hash"}
        written = canonical(record)
    except (ValueError, AttributeError, RecursionError):
        return "it is no JSON object"
    if is_later(record):
        return "it was written by a later version of this program"
    if record.get("number") != number:
        return f"its number is {record.get('number')!r:.40}: records are missing, or stand twice or elsewhere"
    if record.get("previous") != previous:
        return "it does not follow from the record before it"
    if record.get("hash") != _digest(canonical(content)):
        return "its content was changed after it was written"
    return None if written == line else "it is written in another way than the log writes"


def is_later(record: dict[str, Any]) -> bool:
    """Whether a later version of this program wrote a record; before records were numbered they had no format."""
    version = record.get("format", 0)
    return isinstance(version, int) and version > FORMAT


def shortened(text: str) -> str:
    """A text cut to what is kept, with the size and SHA-256 of the whole."""
    if len(text) <= LONGEST_TEXT:
        return text
    return f"{text[:LONGEST_TEXT]}\u2026 ({len(text)} characters, SHA-256 {_digest(text)})"


def _digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()


_SLOT = 512
"""Bytes of one of the two slots: a sector, so that a torn write damages one of them only."""


@dataclass(frozen=True)
class Head:
    """The last record that was written.

    Attributes:
        count: Its number; 0 for none.
        last: Its hash.
    """

    count: int = 0
    last: str = GENESIS


def read_head(path: Path) -> Head | None:
    """The head of a log; None where the file is missing or damaged beyond both slots."""
    content = path.read_bytes() if path.exists() else b""
    heads = [_read_slot(content[start : start + _SLOT]) for start in (0, _SLOT)]
    return max((head for head in heads if head is not None), key=lambda head: head.count, default=None)


def write_head(file: int, head: Head) -> None:
    """Writes a head over the older of the two; on disk when it returns.

    Args:
        file: Descriptor of the head file.
        head: What to write.
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
