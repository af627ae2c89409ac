"""Checkpoint of a training run in one file of numeric arrays. Loading a checkpoint never runs code."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from reachy_agent_ros.core.durable_file import write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.storage.packed_arrays import read_arrays
from reachy_agent_ros.storage.storing import storing

_FORMAT = 1
_FACTS = "facts"

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True)
class Checkpoint:
    """State of a training run between two rounds.

    Attributes:
        arrays: Weights, optimizer states, buffers and random states by name.
        facts: JSON data: configuration and learning curve.
    """

    arrays: Arrays
    facts: Mapping[str, Any]

    def write(self, path: Path) -> None:
        """Writes the checkpoint atomically, and waits until it is on disk.

        Raises:
            AgentError: `STORAGE_FAILED`, in which case an existing file is not changed.
        """
        facts = json.dumps({"format": _FORMAT, **self.facts}).encode()
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **{_FACTS: np.frombuffer(facts, np.uint8), **self.arrays})
        body = content.getvalue()
        with storing("Cannot store the checkpoint"):
            write_durably(path, hashlib.sha256(body).digest() + body)

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """Reads a checkpoint and verifies its checksum.

        Raises:
            AgentError: `NOT_FOUND` if there is no file; `STORAGE_FAILED` if the file is damaged, was written by a later
                version, or cannot be read.
        """
        if not path.exists():
            raise AgentError(ErrorCode.NOT_FOUND, f"Checkpoint not found: {path}.")
        with storing(f"Cannot read {path}"):
            content = path.read_bytes()
        digest, body = content[:32], content[32:]
        if hashlib.sha256(body).digest() != digest:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} is damaged. Delete it to restart the run.")
        try:
            arrays = read_arrays(body)
            facts = dict(json.loads(arrays.pop(_FACTS).tobytes()))
            version = facts.pop("format")
        except (ValueError, LookupError, TypeError, RecursionError):
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} is not a checkpoint.") from None
        if version != _FORMAT:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} was written by a later version of this program.")
        return cls(arrays, facts)
