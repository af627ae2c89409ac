"""Fault 12: database locked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count
from chaos.storage.locked_database import kept_while_locked
from reachy_agent_ros.agent.memory.memory import FILE_NAME as MEMORY_FILE
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME as SESSION_FILE

FILES = {"memories": MEMORY_FILE, "conversations": SESSION_FILE, "judgments": "feedback.db"}


class LockedDatabase:
    """Database file locked by another program, such as a backup tool or a database browser."""

    number = 12
    title = "database locked"
    injected = "another connection locks each SQLite file for ten seconds during writes"
    expected = "no acknowledged record is lost: writes wait or fail with an error"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Locks database files, then checks the acknowledged records."""
        for name, file in FILES.items():
            with tempfile.TemporaryDirectory() as scratch:
                outcome = kept_while_locked(name, file, Path(scratch), 2.0 if graph.short else 10.0)
            yield Figure(f"{name}: records acknowledged", outcome.acknowledged, "")
            yield count(f"{name}: of them, lost", outcome.lost)
            yield count(f"{name}: stores that could not be used afterwards", len(outcome.unusable))
