from __future__ import annotations

import hashlib
import os
import threading
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.learning.correction import policy_store
from reachy_agent_ros.learning.correction.policy_store import PolicyRecord, PolicyStore, Standing

SKILL = "look_at_object"


@pytest.fixture
def store(tmp_path: Path) -> PolicyStore:
    return PolicyStore(tmp_path / "policies")


def save(store: PolicyStore, value: float = 0.0, parent: int = 0, **figures: float) -> PolicyRecord:
    record = PolicyRecord(SKILL, 0, "coach", 0.0, parent, "A test.", figures=figures)
    return store.save(record, {"mean": np.full(3, value), "kernel": np.ones((2, 2), np.float32)})


def folder(tmp_path: Path, version: int) -> Path:
    return tmp_path / "policies" / SKILL / str(version)


def test_saved_policy_version_is_active_and_readable_by_another_store(store: PolicyStore, tmp_path: Path) -> None:
    saved = save(store, 1.5, success=0.9)
    again = PolicyStore(tmp_path / "policies")
    assert again.skills() == [SKILL]
    assert again.inspect(SKILL) == saved
    weights = again.weights(saved)
    assert weights["mean"].tolist() == [1.5] * 3
    assert weights["kernel"].dtype == np.float32


def test_policy_version_numbers_are_never_reused(store: PolicyStore) -> None:
    assert [save(store, parent=number).version for number in range(3)] == [1, 2, 3]
    assert store.roll_back(SKILL) == 2
    assert save(store, parent=2).version == 4
    assert [record.version for record in store.list(SKILL)] == [1, 2, 3, 4]


def test_stamp_of_policy_store_changes_after_rollback(store: PolicyStore, tmp_path: Path) -> None:
    save(store)
    save(store, parent=1)
    stamp = store.stamp(SKILL)
    assert store.stamp(SKILL) == stamp
    PolicyStore(tmp_path / "policies").roll_back(SKILL)
    assert store.stamp(SKILL) != stamp
    assert store.standing(SKILL) == Standing(last=2, active=1)


def test_rollback_of_first_version_leaves_skill_untrained(store: PolicyStore) -> None:
    save(store)
    assert store.roll_back(SKILL) == 0
    assert store.standing(SKILL) == Standing(last=1, active=0)
    assert store.active(SKILL).version == 0
    with pytest.raises(AgentError, match="untrained already") as refusal:
        store.roll_back(SKILL)
    assert refusal.value.code is ErrorCode.INVALID_GOAL
    assert store.roll_back(SKILL, 1) == 1


def test_error_for_missing_policy_version_lists_existing_versions(store: PolicyStore) -> None:
    for _ in range(4):
        save(store)
    with pytest.raises(AgentError, match=r"no version 9\. Versions: 1 to 4\."):
        store.pin(SKILL, 9)


def test_deleted_skill_can_be_created_again(store: PolicyStore) -> None:
    save(store, 1.0)
    save(store, 2.0)
    assert store.forget(SKILL) == 2
    assert store.skills() == []
    assert save(store, 3.0).version == 1
    assert store.weights(store.active(SKILL))["mean"][0] == 3.0


def test_pinned_policy_version_stays_active(store: PolicyStore) -> None:
    save(store)
    store.pin(SKILL)
    save(store, parent=1)
    assert store.standing(SKILL).active == 1
    with pytest.raises(AgentError, match="pinned") as refusal:
        store.roll_back(SKILL, 2)
    assert refusal.value.code is ErrorCode.INVALID_GOAL
    store.unpin(SKILL)
    save(store, parent=1)
    assert store.standing(SKILL).active == 3


def test_compares_metrics_and_weights_of_two_policy_versions(store: PolicyStore) -> None:
    save(store, 1.0, success=0.5)
    save(store, 4.0, success=0.75, **{"judgements": 3.0})
    comparison = store.compare(SKILL, 1)
    assert comparison.figures == {"success": (0.5, 0.75), "judgements": (None, 3.0)}
    assert comparison.weights == {"mean": 3.0, "kernel": 0.0}


@pytest.mark.parametrize("file", ["weights.npz", "policy.json"])
def test_rejects_damaged_policy_version(store: PolicyStore, tmp_path: Path, file: str) -> None:
    save(store)
    save(store, parent=1)
    path = folder(tmp_path, 1) / file
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)
    with pytest.raises(AgentError) as damage:
        store.roll_back(SKILL)
    assert damage.value.code is ErrorCode.STORAGE_FAILED
    assert store.standing(SKILL).active == 2


def test_rejects_weights_that_require_pickle(store: PolicyStore) -> None:
    record = PolicyRecord(SKILL, 0, "coach", 0.0)
    with pytest.raises(ValueError, match=r"[Oo]bject arrays"):
        store.save(record, {"evil": np.array([{"a": 1}], dtype=object)})
    assert store.standing(SKILL) == Standing()


@pytest.mark.parametrize("content", [b"", b"PK", b"no arrays"])
def test_rejects_invalid_policy_weights_with_matching_checksum(
    store: PolicyStore, tmp_path: Path, content: bytes
) -> None:
    saved = store.save(PolicyRecord(SKILL, 0, "coach", 0.0), {"a": np.arange(3.0)})
    [weights] = tmp_path.rglob("weights.npz")
    weights.write_bytes(content)
    with pytest.raises(AgentError) as damage:
        store.weights(replace(saved, digest=hashlib.sha256(content).hexdigest()))
    assert damage.value.code is ErrorCode.STORAGE_FAILED


def test_overwrites_incomplete_policy_version(store: PolicyStore, tmp_path: Path) -> None:
    save(store)
    folder(tmp_path, 2).mkdir()
    (folder(tmp_path, 2) / "weights.npz").write_bytes(b"half")
    assert [record.version for record in store.list(SKILL)] == [1]
    assert save(store, 7.0, parent=1).version == 2
    assert store.weights(store.inspect(SKILL))["mean"][0] == 7.0


@pytest.mark.parametrize("name", ["", "..", "a/b", "/etc", "UPPER", "x" * 100])
def test_rejects_skill_name_that_leads_outside_policy_folder(store: PolicyStore, name: str) -> None:
    with pytest.raises(AgentError) as refusal:
        store.standing(name)
    assert refusal.value.code is ErrorCode.NOT_FOUND


def test_reports_missing_policy_version_as_not_found(store: PolicyStore) -> None:
    for call in (lambda: store.inspect(SKILL), lambda: store.pin(SKILL, 3), lambda: store.roll_back(SKILL)):
        with pytest.raises(AgentError) as refusal:
            call()
        assert refusal.value.code is ErrorCode.NOT_FOUND


def test_deletes_old_policy_versions_except_first_and_active(
    store: PolicyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_store, "KEPT", 3)
    save(store)
    save(store)
    store.pin(SKILL, 2)
    for _ in range(5):
        save(store)
    assert [record.version for record in store.list(SKILL)] == [1, 2, 5, 6, 7]


def test_concurrent_saves_lose_no_policy_version(store: PolicyStore) -> None:
    children = []
    for _ in range(3):
        child = os.fork()
        if child == 0:
            try:
                save(store)
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    threads = [threading.Thread(target=save, args=(store,)) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 3
    assert [record.version for record in store.list(SKILL)] == [1, 2, 3, 4, 5, 6]
