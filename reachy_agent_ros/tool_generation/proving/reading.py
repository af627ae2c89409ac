"""The stages that need no box: a source is read, and nothing of it runs."""

from __future__ import annotations

import time
from collections.abc import Collection

from reachy_agent_ros.tool_generation.proving.proof import Proof
from reachy_agent_ros.tool_generation.validation.reader import SourceReader
from reachy_agent_ros.tool_generation.validation.rejection import Rejection
from reachy_agent_ros.tool_generation.validation.text_gate import read_text
from reachy_agent_ros.tool_generation.verdict import Stage, Verdict


def read_proof(reader: SourceReader, data: bytes, taken: Collection[str] = ()) -> Proof:
    """Takes a source through the stages text and syntax, and stops at the first that it fails.

    Args:
        reader: Reads it.
        data: The source as it came, from whoever.
        taken: Names that other tools have.

    Raises:
        AgentError: `SANDBOX_UNAVAILABLE`: no process can be started to read it in.
    """
    verdicts: list[Verdict] = []
    began = time.monotonic()
    try:
        read_text(data)
        verdicts.append(Verdict(Stage.TEXT, True, "It is plain text.", time.monotonic() - began))
        began = time.monotonic()
        program = reader.read(data, taken)
    except Rejection as rejection:
        failed = Verdict(rejection.stage, False, rejection.message, time.monotonic() - began)
        return Proof(None, (*verdicts, failed))
    verdicts.append(Verdict(Stage.SYNTAX, True, "It has the form of a tool.", time.monotonic() - began))
    return Proof(program, tuple(verdicts))
