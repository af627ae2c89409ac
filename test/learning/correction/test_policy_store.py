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


def test_what_is_saved_acts_and_is_read_again_by_another_process(store: PolicyStore, tmp_path: Path) -> None:
    saved = save(store, 1.5, success=0.9)
    again = PolicyStore(tmp_path / "policies")
    assert again.skills() == [SKILL]
    assert again.inspect(SKILL) == saved
    weights = again.weights(saved)
    assert weights["mean"].tolist() == [1.5] * 3
    assert weights["kernel"].dtype == np.float32


def test_numbers_count_up_and_are_never_given_twice(store: PolicyStore) -> None:
    assert [save(store, parent=number).version for number in range(3)] == [1, 2, 3]
    assert store.roll_back(SKILL) == 2
    assert save(store, parent=2).version == 4
    assert [record.version for record in store.list(SKILL)] == [1, 2, 3, 4]


def test_a_roll_back_is_noticed_by_whoever_watches(store: PolicyStore, tmp_path: Path) -> None:
    save(store)
    save(store, parent=1)
    stamp = store.stamp(SKILL)
    assert store.stamp(SKILL) == stamp
    PolicyStore(tmp_path / "policies").roll_back(SKILL)
    assert store.stamp(SKILL) != stamp
    assert store.standing(SKILL) == Standing(last=2, active=1)


def test_a_pinned_version_goes_on_to_act(store: PolicyStore) -> None:
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


def test_two_versions_are_compared_in_figures_and_weights(store: PolicyStore) -> None:
    save(store, 1.0, success=0.5)
    save(store, 4.0, success=0.75, judgements=3.0)
    comparison = store.compare(SKILL, 1)
    assert comparison.figures == {"success": (0.5, 0.75), "judgements": (None, 3.0)}
    assert comparison.weights == {"mean": 3.0, "kernel": 0.0}


@pytest.mark.parametrize("file", ["weights.npz", "policy.json"])
def test_damage_is_noticed_and_never_acts(store: PolicyStore, tmp_path: Path, file: str) -> None:
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


def test_a_pickle_in_the_place_of_weights_is_not_opened(store: PolicyStore) -> None:
    record = PolicyRecord(SKILL, 0, "coach", 0.0)
    with pytest.raises(ValueError, match=r"[Oo]bject arrays"):
        store.save(record, {"evil": np.array([{"a": 1}], dtype=object)})
    assert store.standing(SKILL) == Standing()


@pytest.mark.parametrize("content", [b"", b"PK", b"no arrays"])
def test_weights_that_are_none_are_damage_though_their_digest_is_right(
    store: PolicyStore, tmp_path: Path, content: bytes
) -> None:
    saved = store.save(PolicyRecord(SKILL, 0, "coach", 0.0), {"a": np.arange(3.0)})
    [weights] = tmp_path.rglob("weights.npz")
    weights.write_bytes(content)
    with pytest.raises(AgentError) as damage:
        store.weights(replace(saved, digest=hashlib.sha256(content).hexdigest()))
    assert damage.value.code is ErrorCode.STORAGE_FAILED


def test_what_was_not_finished_is_overwritten(store: PolicyStore, tmp_path: Path) -> None:
    save(store)
    folder(tmp_path, 2).mkdir()
    (folder(tmp_path, 2) / "weights.npz").write_bytes(b"half")
    assert [record.version for record in store.list(SKILL)] == [1]
    assert save(store, 7.0, parent=1).version == 2
    assert store.weights(store.inspect(SKILL))["mean"][0] == 7.0


@pytest.mark.parametrize("name", ["", "..", "a/b", "/etc", "UPPER", "x" * 100])
def test_no_name_of_a_skill_leads_out_of_the_folder(store: PolicyStore, name: str) -> None:
    with pytest.raises(AgentError) as refusal:
        store.standing(name)
    assert refusal.value.code is ErrorCode.NOT_FOUND


def test_what_there_is_not_is_not_found(store: PolicyStore) -> None:
    for call in (lambda: store.inspect(SKILL), lambda: store.pin(SKILL, 3), lambda: store.roll_back(SKILL)):
        with pytest.raises(AgentError) as refusal:
            call()
        assert refusal.value.code is ErrorCode.NOT_FOUND


def test_old_versions_go_but_not_the_first_nor_the_one_that_acts(
    store: PolicyStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(policy_store, "KEPT", 3)
    save(store)
    save(store)
    store.pin(SKILL, 2)
    for _ in range(5):
        save(store)
    assert [record.version for record in store.list(SKILL)] == [1, 2, 5, 6, 7]


def test_threads_and_processes_that_save_at_once_lose_nothing(store: PolicyStore) -> None:
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
