from __future__ import annotations

from pathlib import Path

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.store import DamagedManifestError, Store, tool_file
from support.tool_generation.registered_tools import program, record


def test_tool_with_modified_source_on_disk_does_not_run(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    (path,) = (tmp_path / "tools" / "sources").iterdir()
    path.write_text(program(factor=1000).source)
    for call in (registry.source_of, registry.source_to_run):
        with pytest.raises(AgentError, match="changed since its verification") as refusal:
            call("double_it", 1)
        assert refusal.value.code is ErrorCode.STORAGE_FAILED
    registry.register(program(), record())
    assert registry.source_of("double_it", 1) == program().source
    path.unlink()
    with pytest.raises(AgentError, match="cannot be read"):
        registry.source_of("double_it", 1)


def damage(path: Path, kind: str) -> None:
    content = path.read_text()
    path.write_text(
        {
            "changed": content.replace('"active": 1', '"active": 2'),
            "cut": content[: len(content) // 2],
            "empty": "",
            "binary": "\x00\x01",
            "deep": "[" * 100_000,
            "other": "[]",
        }[kind]
    )


@pytest.mark.parametrize("kind", ["changed", "cut", "empty", "binary", "deep", "other"])
def test_damaged_manifest_is_set_aside_and_reported(
    registry: Registry, tmp_path: Path, told: list[tuple[str, str]], kind: str
) -> None:
    registry.register(program(), record())
    registry.register(program("other_tool"), record())
    damage(tmp_path / "tools" / "manifests" / "double_it.json", kind)
    assert [manifest.name for manifest in registry.list()] == ["other_tool"]
    ((name, sentence),) = told
    assert name == "double_it"
    assert "damaged" in sentence
    (aside,) = (tmp_path / "tools" / "damaged").iterdir()
    assert str(aside) in sentence
    with pytest.raises(AgentError, match="no generated tool"):
        registry.source_to_run("double_it", 1)
    registry.list()
    assert len(told) == 1
    registry.register(program(), record())
    assert registry.source_to_run("double_it", 1) == program().source


def test_registry_rejects_manifest_of_different_tool(registry: Registry, tmp_path: Path) -> None:
    registry.register(program(), record())
    manifests = tmp_path / "tools" / "manifests"
    (manifests / "imitation.json").write_bytes((manifests / "double_it.json").read_bytes())
    with pytest.raises(AgentError, match="damaged"):
        registry.source_to_run("imitation", 1)


def test_manifest_of_newer_format_version_is_preserved(
    registry: Registry, tmp_path: Path, told: list[tuple[str, str]]
) -> None:
    registry.register(program(), record())
    path = tmp_path / "tools" / "manifests" / "double_it.json"
    path.write_text(path.read_text().replace('"format": 1', '"format": 2'))
    with pytest.raises(AgentError, match="later version"):
        registry.get("double_it")
    assert registry.list() == []
    assert "later version" in told[0][1]
    assert path.exists()


@pytest.mark.parametrize("digest", ["../manifests/double_it", "", "0" * 63, "0" * 65, "G" * 64])
def test_registry_rejects_invalid_source_checksums(tmp_path: Path, digest: str) -> None:
    store = Store(tmp_path / "tools")
    for call in (store.source, store.drop_source, lambda wrong: store.keep_source("x", wrong)):
        with pytest.raises(AgentError, match="Invalid digest of a source"):
            call(digest)


def test_error_for_damaged_manifest_names_tool(tmp_path: Path) -> None:
    store = Store(tmp_path / "tools")
    (tmp_path / "tools" / "manifests" / "double_it.json").write_text("[]")
    with pytest.raises(DamagedManifestError) as refusal:
        store.manifest("double_it")
    assert refusal.value.name == "double_it"


@pytest.mark.parametrize("name", ["../double_it", "", "Double_it", "a" * 42])
def test_registry_rejects_invalid_tool_names(tmp_path: Path, name: str) -> None:
    with pytest.raises(AgentError, match="invalid name") as refusal:
        tool_file(tmp_path, name)
    assert refusal.value.code is ErrorCode.UNKNOWN_TOOL


def test_error_for_damaged_source_contains_first_twelve_checksum_digits(tmp_path: Path) -> None:
    store, digest = Store(tmp_path / "tools"), program().digest
    store.keep_source("something else", digest)
    with pytest.raises(AgentError, match=f"The source {digest[:12]} has changed"):
        store.source(digest)


def test_storing_source_again_replaces_damaged_copy(tmp_path: Path) -> None:
    store, digest = Store(tmp_path / "tools"), program().digest
    assert store.keep_source("something else", digest)
    assert not store.keep_source(program().source, digest)
    assert store.source(digest) == program().source
