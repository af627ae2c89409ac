"""Behavior of the tool registry after a crash, after a power failure, and on a full disk."""

from __future__ import annotations

import os
import resource
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.registry.manifest import Manifest
from reachy_agent_ros.tool_generation.registry.registry import Registry
from support.cases import mostly_nightly
from support.tool_generation.registered_tools import program, record

WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT
TOUCHES = ("os.rename", "os.remove", "os.mkdir", "os.truncate")

Work = Callable[[Registry], Any]

WORKS: dict[str, Work] = {
    "register": lambda tools: tools.register(program("new_tool"), record()),
    "register a version": lambda tools: tools.register(program(factor=5), record()),
    "approve": lambda tools: tools.approve("double_it", 3, "Good."),
    "reject": lambda tools: tools.reject("double_it", 3, "No."),
    "roll back": lambda tools: tools.roll_back("double_it"),
    "disable": lambda tools: tools.set_enabled("double_it", False),
    "enable": lambda tools: tools.set_enabled("failing_tool", True),
    "delete": lambda tools: tools.delete("double_it"),
    "note a run": lambda tools: tools.note_run("double_it", 2, AgentError(ErrorCode.TOOL_FAILED, "ValueError"), 0.1),
}


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Registry folder with two tools.

    One tool has three versions, of which the last waits for review. The other tool fails too often.
    """
    folder = tmp_path_factory.mktemp("furnished") / "tools"
    tools = Registry(folder)
    for factor in (2, 3):
        tools.register(program(factor=factor), record())
    tools.register(program(factor=4), record(needs_review=True))
    tools.register(program("failing_tool"), record())
    for _ in range(5):
        tools.note_run("failing_tool", 1, AgentError(ErrorCode.TOOL_FAILED, "ValueError"), 0.1)
    return folder


def known(folder: Path) -> list[Manifest]:
    """Returns all manifests without creation times, and asserts that every source is intact."""
    tools = Registry(folder)
    manifests = tools.list()
    for manifest in manifests:
        tools.usage(manifest.name)
        for version in manifest.versions:
            assert tools.source_of(manifest.name, version.number)
    return [
        replace(one, versions=tuple(replace(version, created=0.0) for version in one.versions)) for one in manifests
    ]


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def killed(work: Work, folder: Path, prepare: Callable[[], None]) -> bool:
    """Runs `work` in a child process. Returns whether the process was killed before it finished."""
    child = os.fork()
    if child == 0:
        try:
            tools = Registry(folder)
            prepare()
            work(tools)
            os._exit(0)
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
    return os.WIFSIGNALED(status)


def die_at_touch(count: int) -> None:
    """Kills this process before the given disk operation (opening for writing, rename, sync or removal)."""
    left = [count]

    def touch() -> None:
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        left[0] -= 1

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        if event in TOUCHES or (event == "open" and arguments[2] & WRITES):
            touch()

    sync = os.fsync

    def sync_touched(file: int) -> None:
        touch()
        sync(file)

    os.fsync = sync_touched
    sys.addaudithook(watch)


def die_after_bytes(size: int) -> None:
    """Kills this process when a file grows beyond `size` bytes. The bytes up to the limit are on disk."""
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


@pytest.mark.slow
@pytest.mark.parametrize("name", mostly_nightly(list(WORKS)))
def test_power_failure_at_any_disk_operation_leaves_consistent_state(
    furnished: Path, tmp_path: Path, name: str
) -> None:
    work, folder = WORKS[name], tmp_path / "tools"
    shutil.copytree(furnished, folder)
    before = known(folder)
    work(Registry(folder))
    after = known(folder)
    touches = 0
    while True:
        shutil.rmtree(folder)
        shutil.copytree(furnished, folder)
        died = killed(work, folder, partial(die_at_touch, touches))
        assert known(folder) in (before, after)
        if not died:
            break
        touches += 1
        if known(folder) == before:  # a second attempt succeeds
            work(Registry(folder))
        assert known(folder) == after
    assert touches > 3


@pytest.mark.parametrize("size", [0, 1, 100, 300, 1000, 2000])
def test_registry_never_reads_partially_written_file(furnished: Path, tmp_path: Path, size: int) -> None:
    folder = tmp_path / "tools"
    shutil.copytree(furnished, folder)
    before = known(folder)
    assert killed(WORKS["register a version"], folder, lambda: die_after_bytes(size))
    assert known(folder) == before
    assert Registry(folder).register(program(factor=5), record()) == 4


@pytest.mark.parametrize("name", ["register", "register a version", "approve", "roll back", "disable", "enable"])
def test_full_disk_raises_error_and_leaves_registry_unchanged(furnished: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "tools"
    shutil.copytree(furnished, folder)
    tools, before = Registry(folder), contents(folder)
    usual = resource.getrlimit(resource.RLIMIT_FSIZE)
    for size in (0, 100, 400, 900):
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, usual[1]))
        try:
            with pytest.raises(AgentError, match="too large") as failure:
                WORKS[name](tools)
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, usual)
        assert failure.value.code is ErrorCode.STORAGE_FAILED
        assert contents(folder) == before
    WORKS[name](tools)


def test_registry_change_is_flushed_to_disk_before_return(
    furnished: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file is flushed before its rename, and each rename is flushed before the next step."""
    folder = tmp_path / "tools"
    shutil.copytree(furnished, folder)
    tools, steps, sync, replace_file = Registry(folder), [], os.fsync, os.replace

    def note_sync(file: int) -> None:
        steps.append(f"sync {Path(os.readlink(f'/proc/self/fd/{file}')).relative_to(folder)}")
        sync(file)

    def note_rename(old: Path, new: Path) -> None:
        steps.append(f"rename {Path(new).relative_to(folder)}")
        replace_file(old, new)

    monkeypatch.setattr(os, "fsync", note_sync)
    monkeypatch.setattr(os, "replace", note_rename)
    tools.register(program("new_tool"), record())
    digest = program("new_tool").digest
    assert steps == [
        f"sync sources/.{digest}.py.draft",
        f"rename sources/{digest}.py",
        "sync sources",
        "sync manifests/.new_tool.json.draft",
        "rename manifests/new_tool.json",
        "sync manifests",
    ]


@pytest.fixture
def synced(monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Paths of the files and folders that were flushed to disk, in order."""
    paths, sync = [], os.fsync

    def note(file: int) -> None:
        paths.append(Path(os.readlink(f"/proc/self/fd/{file}")))
        sync(file)

    monkeypatch.setattr(os, "fsync", note)
    return paths


def test_deletion_is_flushed_to_disk_before_return(tmp_path: Path, synced: list[Path]) -> None:
    folder = tmp_path / "tools"
    tools = Registry(folder)
    tools.register(program(), record())
    tools.note_run("double_it", 1, None, 0.1)
    synced.clear()
    tools.delete("double_it")
    assert synced[-2:] == [folder / "usage", folder / "sources"]


def test_renamed_damaged_manifest_is_flushed_to_disk(tmp_path: Path, synced: list[Path]) -> None:
    folder = tmp_path / "tools"
    tools = Registry(folder)
    (folder / "manifests" / "double_it.json").write_text("[]")
    synced.clear()
    assert tools.list() == []
    assert synced == [folder / "manifests"]


@pytest.mark.slow
def test_concurrent_processes_register_tools_without_loss(tmp_path: Path) -> None:
    folder, children = tmp_path / "tools", []
    for factor in range(6):
        child = os.fork()
        if child == 0:
            try:
                Registry(folder).register(program(factor=factor), record())
                os._exit(0)
            finally:
                os._exit(1)
        children.append(child)
    assert [os.waitpid(child, 0)[1] for child in children] == [0] * 6
    tools = Registry(folder)
    assert [version.number for version in tools.get("double_it").versions] == [1, 2, 3, 4, 5, 6]
    sources = {tools.source_of("double_it", number) for number in range(1, 7)}
    assert sources == {program(factor=factor).source for factor in range(6)}
