"""One line of the audit log."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

GENESIS = "0" * 64
"""What the first record holds for the hash of the one before it."""

FORMAT = 1
"""Of a record; counts up where this version of the program could not read what a later one wrote."""

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
    return {**content, "hash": digest(canonical(content))}


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
    if record.get("hash") != digest(canonical(content)):
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
    return f"{text[:LONGEST_TEXT]}\u2026 ({len(text)} characters, SHA-256 {digest(text)})"


def digest(text: str) -> str:
    """SHA-256 of a text, in hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()
