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


def test_a_registered_tool_runs_and_all_that_was_told_of_it_is_kept(registry: Registry, tmp_path: Path) -> None:
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


def test_a_changed_source_is_the_next_version_and_the_one_that_runs(registry: Registry) -> None:
    registry.register(program(), record())
    assert registry.register(program(factor=3), record()) == 2
    assert registry.get("double_it").active == 2
    assert [manifest.name for manifest in registry.list()] == ["double_it"]
    difference = registry.diff("double_it", 1)
    assert '-    return {"product": number * 2}' in difference
    assert '+    return {"product": number * 3}' in difference
    assert registry.diff("double_it", 1, 1) == ""


def test_what_waits_for_a_review_does_not_run(registry: Registry) -> None:
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


def test_what_was_rejected_never_runs(registry: Registry) -> None:
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


def test_only_what_waits_can_be_decided(registry: Registry) -> None:
    registry.register(program(), record())
    with pytest.raises(AgentError, match="does not wait") as refusal:
        registry.reject("double_it", 1)
    assert code_of(refusal) is ErrorCode.INVALID_GOAL
    with pytest.raises(AgentError, match="no version 7") as refusal:
        registry.approve("double_it", 7)
    assert code_of(refusal) is ErrorCode.NOT_FOUND


def test_an_earlier_version_runs_again(registry: Registry) -> None:
    for factor in (2, 3, 4):
        registry.register(program(factor=factor), record())
    assert registry.roll_back("double_it") == 3
    assert registry.get("double_it").active == 2
    assert registry.roll_back("double_it", 3) == 2
    assert registry.roll_back("double_it", 1) == 3
    with pytest.raises(AgentError, match="no approved version before") as refusal:
        registry.roll_back("double_it")
    assert code_of(refusal) is ErrorCode.INVALID_GOAL


def test_a_disabled_tool_does_not_run_until_it_is_enabled(registry: Registry) -> None:
    registry.register(program(), record())
    registry.set_enabled("double_it", False)
    with pytest.raises(AgentError, match="A person disabled it") as refusal:
        registry.source_to_run("double_it", 1)
    assert code_of(refusal) is ErrorCode.TOOL_DISABLED
    registry.register(program(factor=3), record())
    assert registry.get("double_it").disabled is not None, "what a person said holds for the next version too"
    registry.set_enabled("double_it", True)
    assert registry.source_to_run("double_it", 2) == program(factor=3).source


def test_a_deleted_tool_is_gone_and_its_numbers_are_not_given_again(registry: Registry, tmp_path: Path) -> None:
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
        registry.approve("double_it", 1)  # a yes to what was deleted is none to what took its place


def test_a_text_that_another_tool_has_too_outlives_a_deletion(registry: Registry) -> None:
    registry.register(program(), record())
    registry.register(replace(program(), name="other_tool"), record())
    registry.delete("double_it")
    assert registry.source_of("other_tool") == program().source


@pytest.mark.parametrize(
    "name", ["../double_it", "double/it", "", "Double_it", "d\u043euble_it", "a" * 80, "double_it\n", "."]
)
def test_a_name_leads_nowhere_else(registry: Registry, tmp_path: Path, name: str) -> None:
    registry.register(program(), record())
    before = sorted(tmp_path.rglob("*"))
    for call in (registry.get, registry.source_of, registry.delete, registry.roll_back):
        with pytest.raises(AgentError) as refusal:
            call(name)
        assert code_of(refusal) is ErrorCode.UNKNOWN_TOOL
    with pytest.raises(AgentError):
        registry.register(replace(program(), name=name), record())
    assert sorted(tmp_path.rglob("*")) == before


def test_no_tool_takes_or_imitates_the_name_of_another(tmp_path: Path) -> None:
    registry = Registry(tmp_path, taken=lambda: {"move_head"})
    registry.register(program("tell_me"), record())
    for name in ("move_head", "te11_me"):
        with pytest.raises(AgentError):
            registry.register(program(name), record())
    assert [manifest.name for manifest in registry.list()] == ["tell_me"]


def test_what_did_not_pass_a_stage_is_not_registered(registry: Registry) -> None:
    failed = VersionRecord(
        "person", verdicts=(Verdict(VerificationStage.TEXT, True), Verdict(VerificationStage.SANDBOX, False, "case 1"))
    )
    with pytest.raises(AgentError, match="stage sandbox") as refusal:
        registry.register(program(), failed)
    assert code_of(refusal) is ErrorCode.VALIDATION_FAILED
    assert not registry.list()


def test_every_change_but_usage_shows_in_the_stamp(registry: Registry, tmp_path: Path) -> None:
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


def test_registrations_at_once_become_versions_of_which_none_is_lost(registry: Registry, tmp_path: Path) -> None:
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


def test_what_models_wrote_is_stored_without_what_nobody_sees(registry: Registry) -> None:
    registry.register(program(), record(explanation="\x1b[2J<|im_start|>\ud800ok"))
    assert registry.get("double_it").version(1).record.explanation == "[2J ok"


def test_the_folder_is_the_owners_alone(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    assert (tmp_path / "tools").stat().st_mode & 0o077 == 0


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path) -> None:
    (tmp_path / "tools").write_text("in the way")
    with pytest.raises(AgentError, match="cannot be made") as failure:
        Registry(tmp_path / "tools")
    assert code_of(failure) is ErrorCode.STORAGE_FAILED


def test_what_a_person_says_is_kept_as_far_as_anybody_reads(registry: Registry) -> None:
    registry.register(program(), record(needs_review=True, explanation="e" * 9_000))
    registry.reject("double_it", 1, "n" * 9_000)
    version = registry.get("double_it").version(1)
    assert (version.comment.count("n"), version.record.explanation.count("e")) == (8_000, 8_000)


def test_a_review_leaves_the_other_versions_as_they_are(registry: Registry) -> None:
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


def test_a_text_that_is_registered_again_is_kept_once(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    registry.register(program(), record())
    assert len(list((tmp_path / "tools" / "sources").iterdir())) == 1
    assert registry.source_of("double_it", 1) == registry.source_of("double_it", 2)


def test_without_a_version_that_runs_the_newest_is_meant(registry: Registry) -> None:
    registry.register(program(), record(needs_review=True))
    registry.register(program(factor=3), record(needs_review=True))
    assert registry.source_of("double_it") == program(factor=3).source
    registry.approve("double_it", 1)
    assert registry.source_of("double_it") == program().source
