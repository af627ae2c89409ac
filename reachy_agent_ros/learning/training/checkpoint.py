"""All that a training run needs to go on after a kill, in one file of numbers: nothing in it can run."""

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
    """State of a run between two rounds.

    Attributes:
        arrays: Weights, optimisers, buffers and random states by name.
        facts: What JSON can say: the configuration, the counters, the curve so far.
    """

    arrays: Arrays
    facts: Mapping[str, Any]

    def write(self, path: Path) -> None:
        """Replaces the file as a whole; on disk when it returns.

        Raises:
            AgentError: `STORAGE_FAILED`; what was there is as it was.
        """
        facts = json.dumps({"format": _FORMAT, **self.facts}).encode()
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **{_FACTS: np.frombuffer(facts, np.uint8), **self.arrays})
        body = content.getvalue()
        with storing("The checkpoint cannot be stored"):
            write_durably(path, hashlib.sha256(body).digest() + body)

    @classmethod
    def read(cls, path: Path) -> Checkpoint:
        """What was written last.

        Raises:
            AgentError: `NOT_FOUND` where there is none; `STORAGE_FAILED` for one that is damaged, of a later version,
                or cannot be read.
        """
        if not path.exists():
            raise AgentError(ErrorCode.NOT_FOUND, f"There is no checkpoint at {path}.")
        with storing(f"{path} cannot be read"):
            content = path.read_bytes()
        digest, body = content[:32], content[32:]
        if hashlib.sha256(body).digest() != digest:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} is damaged; begin the run anew.")
        try:
            arrays = read_arrays(body)
            facts = dict(json.loads(arrays.pop(_FACTS).tobytes()))
            version = facts.pop("format")
        except (ValueError, LookupError, TypeError, RecursionError):
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} is not a checkpoint.") from None
        if version != _FORMAT:
            raise AgentError(ErrorCode.STORAGE_FAILED, f"{path} was written by a later version of this program.")
        return cls(arrays, facts)
