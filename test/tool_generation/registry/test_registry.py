from __future__ import annotations

import threading
from dataclasses import replace
from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.version import VersionRecord, VersionState
from reachy_agent_ros.tool_generation.verdict import Verdict, VerificationStage
from support.tool_generation.registered_tools import program, record


def code_of(call: pytest.ExceptionInfo[AgentError]) -> ErrorCode:
    return call.value.code


def test_registered_tool_is_stored_completely(registry: Registry, tmp_path: Path) -> None:
    assert registry.register(program(), record()) == 1
    again = Registry(tmp_path / "tools")
    manifest = again.get("double_it")
    version = manifest.version(1)
    assert (manifest.active, manifest.disabled) == (1, None)
    assert version.record == record()
    assert (version.state, version.digest, version.summary) == (
        VersionState.APPROVED,
        program().digest,
        program().summary,
    )
    assert again.source_to_run("double_it", 1) == program().source
    assert again.holds(program().digest)
    assert not again.holds(program(factor=9).digest)


def test_changed_tool_source_becomes_active_version(registry: Registry) -> None:
    registry.register(program(), record())
    assert registry.register(program(factor=3), record()) == 2
    assert registry.get("double_it").active == 2
    assert [manifest.name for manifest in registry.list()] == ["double_it"]
    difference = registry.diff("double_it", 1)
    assert '-    return {"product": number * 2}' in difference
    assert '+    return {"product": number * 3}' in difference
    assert registry.diff("double_it", 1, 1) == ""


def test_tool_version_pending_review_does_not_run(registry: Registry) -> None:
    registry.register(program(), record())
    assert registry.register(program(factor=3), record(needs_review=True)) == 2
    assert registry.get("double_it").active == 1
    with pytest.raises(AgentError, match="waits for a person") as refusal:
        registry.source_to_run("double_it", 2)
    assert code_of(refusal) is ErrorCode.APPROVAL_REQUIRED
    registry.approve("double_it", 2, "Good.")
    assert registry.get("double_it").active == 2
    assert registry.get("double_it").version(2).comment == "Good."
    assert registry.source_to_run("double_it", 2) == program(factor=3).source


def test_rejected_tool_version_never_runs(registry: Registry) -> None:
    registry.register(program(), record(needs_review=True))
    registry.reject("double_it", 1, "What for?")
    assert registry.get("double_it").active == 0
    assert registry.get("double_it").version(1).comment == "What for?"
    for call in (
        lambda: registry.source_to_run("double_it", 1),
        lambda: registry.approve("double_it", 1),
        lambda: registry.roll_back("double_it", 1),
    ):
        with pytest.raises(AgentError, match="rejected"):
            call()


def test_only_tool_versions_pending_review_can_be_reviewed(registry: Registry) -> None:
    registry.register(program(), record())
    with pytest.raises(AgentError, match="does not wait") as refusal:
        registry.reject("double_it", 1)
    assert code_of(refusal) is ErrorCode.INVALID_GOAL
    with pytest.raises(AgentError, match="no version 7") as refusal:
        registry.approve("double_it", 7)
    assert code_of(refusal) is ErrorCode.NOT_FOUND


def test_tool_rolls_back_to_earlier_version(registry: Registry) -> None:
    for factor in (2, 3, 4):
        registry.register(program(factor=factor), record())
    assert registry.roll_back("double_it") == 3
    assert registry.get("double_it").active == 2
    assert registry.roll_back("double_it", 3) == 2
    assert registry.roll_back("double_it", 1) == 3
    with pytest.raises(AgentError, match="no approved version before") as refusal:
        registry.roll_back("double_it")
    assert code_of(refusal) is ErrorCode.INVALID_GOAL


def test_disabled_tool_does_not_run(registry: Registry) -> None:
    registry.register(program(), record())
    registry.set_enabled("double_it", False)
    with pytest.raises(AgentError, match="A person disabled it") as refusal:
        registry.source_to_run("double_it", 1)
    assert code_of(refusal) is ErrorCode.TOOL_DISABLED
    registry.register(program(factor=3), record())
    assert registry.get("double_it").disabled is not None, "a person's decision applies to the next version too"
    registry.set_enabled("double_it", True)
    assert registry.source_to_run("double_it", 2) == program(factor=3).source


def test_version_numbers_of_deleted_tool_are_not_reused(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record(needs_review=True))
    registry.register(program("other_tool"), record())
    registry.note_run("double_it", 1, None, 0.1)
    registry.delete("double_it")
    assert list((tmp_path / "tools" / "usage").iterdir()) == []
    assert [manifest.name for manifest in registry.list()] == ["other_tool"]
    for call in (registry.get, registry.source_of, registry.delete, registry.usage):
        with pytest.raises(AgentError, match="no generated tool") as refusal:
            call("double_it")
        assert code_of(refusal) is ErrorCode.UNKNOWN_TOOL
    assert len(list((tmp_path / "tools" / "sources").iterdir())) == 1
    assert registry.register(program(factor=3), record(needs_review=True)) == 2
    with pytest.raises(AgentError, match="no version 1"):
        registry.approve("double_it", 1)  # the approval of a deleted version must not apply to a new version


def test_source_shared_with_another_tool_survives_deletion(registry: Registry) -> None:
    registry.register(program(), record())
    registry.register(replace(program(), name="other_tool"), record())
    registry.delete("double_it")
    assert registry.source_of("other_tool") == program().source


@pytest.mark.parametrize(
    "name", ["../double_it", "double/it", "", "Double_it", "d\u043euble_it", "a" * 80, "double_it\n", "."]
)
def test_rejects_tool_name_that_leads_outside_registry_folder(registry: Registry, tmp_path: Path, name: str) -> None:
    registry.register(program(), record())
    before = sorted(tmp_path.rglob("*"))
    for call in (registry.get, registry.source_of, registry.delete, registry.roll_back):
        with pytest.raises(AgentError) as refusal:
            call(name)
        assert code_of(refusal) is ErrorCode.UNKNOWN_TOOL
    with pytest.raises(AgentError):
        registry.register(replace(program(), name=name), record())
    assert sorted(tmp_path.rglob("*")) == before


def test_rejects_tool_name_equal_or_similar_to_another_tool(tmp_path: Path) -> None:
    registry = Registry(tmp_path, taken=lambda: {"move_head"})
    registry.register(program("tell_me"), record())
    for name in ("move_head", "te11_me"):
        with pytest.raises(AgentError):
            registry.register(program(name), record())
    assert [manifest.name for manifest in registry.list()] == ["tell_me"]


def test_registry_rejects_tool_that_failed_validation_stage(registry: Registry) -> None:
    failed = VersionRecord(
        "person", verdicts=(Verdict(VerificationStage.TEXT, True), Verdict(VerificationStage.SANDBOX, False, "case 1"))
    )
    with pytest.raises(AgentError, match="stage sandbox") as refusal:
        registry.register(program(), failed)
    assert code_of(refusal) is ErrorCode.VALIDATION_FAILED
    assert not registry.list()


def test_registry_stamp_changes_on_every_change_except_usage(registry: Registry, tmp_path: Path) -> None:
    other = Registry(tmp_path / "tools")
    stamps = [registry.stamp()]
    for change in (
        lambda: other.register(program(), record()),
        lambda: other.register(program(factor=3), record(needs_review=True)),
        lambda: other.approve("double_it", 2),
        lambda: other.roll_back("double_it"),
        lambda: other.set_enabled("double_it", False),
        lambda: other.delete("double_it"),
    ):
        change()
        stamps.append(registry.stamp())
    assert len(set(stamps)) == len(stamps)
    other.register(program(), record())
    before = registry.stamp()
    other.note_run("double_it", 3, None, 1.0)
    assert registry.stamp() == before


def test_concurrent_threads_register_tools_without_loss(registry: Registry, tmp_path: Path) -> None:
    def register(factor: int) -> None:
        numbers.append(Registry(tmp_path / "tools").register(program(factor=factor), record()))

    numbers: list[int] = []
    threads = [threading.Thread(target=register, args=[factor]) for factor in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60.0)
    assert sorted(numbers) == list(range(1, 13))
    sources = {registry.source_of("double_it", number) for number in numbers}
    assert sources == {program(factor=factor).source for factor in range(12)}


def test_registry_sanitizes_texts_written_by_models(registry: Registry) -> None:
    registry.register(program(), record(explanation="\x1b[2J<|im_start|>\ud800ok"))
    assert registry.get("double_it").version(1).record.explanation == "[2J ok"


def test_registry_folder_is_accessible_only_by_owner(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    assert (tmp_path / "tools").stat().st_mode & 0o077 == 0


def test_unusable_registry_folder_raises_storage_failed(tmp_path: Path) -> None:
    (tmp_path / "tools").write_text("in the way")
    with pytest.raises(AgentError, match="cannot be created") as failure:
        Registry(tmp_path / "tools")
    assert code_of(failure) is ErrorCode.STORAGE_FAILED


def test_registry_truncates_long_comments_and_explanations(registry: Registry) -> None:
    registry.register(program(), record(needs_review=True, explanation="e" * 9_000))
    registry.reject("double_it", 1, "n" * 9_000)
    version = registry.get("double_it").version(1)
    assert (version.comment.count("n"), version.record.explanation.count("e")) == (8_000, 8_000)


def test_review_of_tool_version_does_not_change_other_versions(registry: Registry) -> None:
    for factor in (2, 3, 4):
        registry.register(program(factor=factor), record(needs_review=True))
    registry.approve("double_it", 2)
    manifest = registry.get("double_it")
    assert [version.state for version in manifest.versions] == [
        VersionState.WAITING,
        VersionState.APPROVED,
        VersionState.WAITING,
    ]
    assert manifest.active == 2


def test_identical_tool_source_is_stored_once(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    registry.register(program(), record())
    assert len(list((tmp_path / "tools" / "sources").iterdir())) == 1
    assert registry.source_of("double_it", 1) == registry.source_of("double_it", 2)


def test_newest_tool_version_is_default_if_no_version_is_active(registry: Registry) -> None:
    registry.register(program(), record(needs_review=True))
    registry.register(program(factor=3), record(needs_review=True))
    assert registry.source_of("double_it") == program(factor=3).source
    registry.approve("double_it", 1)
    assert registry.source_of("double_it") == program().source
