"""Feedback as JSON lines, for other programs."""

from __future__ import annotations

import json
from collections.abc import Iterator

from reachy_agent_ros.learning.feedback.store import FeedbackStore


def export_lines(store: FeedbackStore) -> Iterator[str]:
    """One JSON object a row: its table under `kind`, and its columns; SI units, times in s since the epoch.

    Acts and their outcomes come before judgements and the rewards made from them.

    Raises:
        AgentError: `STORAGE_FAILED`.
    """
    for row in store.rows():
        yield json.dumps({"kind": row.table, **row.values}, ensure_ascii=False)
