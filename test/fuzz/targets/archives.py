"""Targets for files with checksums: backups, checkpoints and policies.

Some of the mutated files have a correct checksum.
"""

from __future__ import annotations

import hashlib
import io
import json
import random
import tempfile
from dataclasses import asdict
from pathlib import Path

import numpy as np

from fuzz.file_target import FileTarget
from fuzz.mutation.byte_mutation import mutated_bytes
from fuzz.mutation.json_mutation import mutated_json
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore, Standing
from reachy_agent_ros.learning.training.checkpoint import Checkpoint
from reachy_agent_ros.storage.backup.archive import pack, unpack
from reachy_agent_ros.storage.checked_json import checked_json

_SKILL = "look_at_object"
_ARRAYS = {"weights": np.arange(6.0).reshape(2, 3), "random/numpy": np.arange(4, dtype=np.uint32)}


def backups() -> FileTarget:
    """Returns a target that unpacks backups, as `reachy-agent restore` does."""
    with tempfile.TemporaryDirectory() as folder:
        state = Path(folder, "state")
        (state / "tools").mkdir(parents=True)
        (state / "tools" / "wave.json").write_text("{}" * 200)
        (state / "persona").write_text("reachy")
        pack(state, Path(folder, "archive"))
        sample = Path(folder, "archive").read_bytes()
    return FileTarget("backup", [sample], mutated_bytes, _unpack)


def checkpoints() -> FileTarget:
    """Returns a target that reads checkpoints of training runs."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "checkpoint")
        Checkpoint(_ARRAYS, {"episode": 3, "curve": [0.1, 0.2]}).write(path)
        sample = path.read_bytes()[32:]
    return FileTarget("checkpoint", [sample], _signed, Checkpoint.read)


def policy_records() -> FileTarget:
    """Returns a target that reads policy records and the file with the active version."""
    record = asdict(PolicyRecord(_SKILL, 1, "coach", 1.7e9, 0, "It was taught.", 3, {"error": 0.2}, 64 * "0"))
    samples = [json.dumps(asdict(Standing(1, 1))).encode(), json.dumps(record).encode()]
    return FileTarget("record", samples, _record, _read_records)


def policy_weights() -> FileTarget:
    """Returns a target that reads the weights of a policy."""
    content = io.BytesIO()
    np.savez(content, allow_pickle=False, **_ARRAYS)
    return FileTarget("weights", [content.getvalue()], mutated_bytes, _read_weights)


def _unpack(path: Path) -> None:
    folder = path.with_name("restored")
    folder.mkdir()
    unpack(path, folder)
    outside = [found for found in path.parent.iterdir() if found not in (path, folder)]
    assert not outside, f"files were written outside the target folder: {outside}"


def _signed(sample: bytes, chance: random.Random) -> bytes:
    body = mutated_bytes(sample, chance)
    return hashlib.sha256(body).digest() + body


def _record(sample: bytes, chance: random.Random) -> bytes:
    """Returns a mutated record. In about half of the cases, its checksum is correct."""
    changed = mutated_json(json.loads(sample), chance)
    if chance.random() < 0.5:
        return changed
    try:
        return checked_json(chance.choice(("policy", "standing")), json.loads(changed), 1).encode()
    except (ValueError, RecursionError):
        return changed


def _read_records(path: Path) -> None:
    store = PolicyStore(path.parent / "policies")
    for name in ("standing.json", "1/policy.json"):
        place = path.parent / "policies" / _SKILL / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(path.read_bytes())
    refusals = []
    for read in (lambda: store.standing(_SKILL), lambda: store.list(_SKILL)):
        try:
            read()
        except AgentError as error:
            refusals.append(error)
    if len(refusals) == 2:
        raise refusals[0]


def _read_weights(path: Path) -> None:
    store = PolicyStore(path.parent / "policies")
    content = path.read_bytes()
    place = path.parent / "policies" / _SKILL / "1" / "weights.npz"
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    store.weights(PolicyRecord(_SKILL, 1, "coach", 1.7e9, digest=digest))
