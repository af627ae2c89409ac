"""How far the audit log reaches, kept beside it: a log alone cannot tell that its last records are missing."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from reachy_agent_ros.agent.permissions.audit_record import GENESIS, canonical, digest

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
    return digest(f"{head.count} {head.last}")[:16]
