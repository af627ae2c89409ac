"""Fault 14: truncated recording."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random

from bench.report import Figure
from chaos.campaign_graph import CampaignGraph
from chaos.faults.fault import count
from chaos.storage import cut_recording

CHUNKS = 2
"""Number of chunks that may be missing: the one that was being written, and the one that contains the cut."""


class CutRecording:
    """Recording that was truncated because its process ended before closing the file."""

    number = 14
    title = "truncated recording"
    injected = "recordings are truncated at random bytes"
    expected = "all but the last chunk remain readable and unchanged"

    def run(self, graph: CampaignGraph, random: Random) -> Iterator[Figure]:
        """Truncates recordings, and compares the recovered messages with the recorded messages."""
        cuts = 5 if graph.short else 40
        with tempfile.TemporaryDirectory() as scratch:
            outcomes = [cut_recording.cut_recording(Path(scratch, str(number)), random) for number in range(cuts)]
        missing = max((one.before - one.read) / one.chunk for one in outcomes)
        yield Figure(f"chunks missing before the cut, worst of {cuts}", missing, "", CHUNKS)
        yield count("recordings of which something else is read", sum(not one.whole for one in outcomes))
