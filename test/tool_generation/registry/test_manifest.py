from __future__ import annotations

from dataclasses import asdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.storage.checked_json import checked_json
from reachy_agent_ros.tool_generation.job import LARGEST_MEMORY, LONGEST_TIME, Limits, Need
from reachy_agent_ros.tool_generation.registry.manifest import Disabling, Manifest, manifest_text, read_manifest
from reachy_agent_ros.tool_generation.registry.version import CaseRecord, Version, VersionRecord, VersionState
from reachy_agent_ros.tool_generation.verdict import Verdict, VerificationStage

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
TIMES = st.floats(0.0, 1e10)
CASES = st.builds(CaseRecord, TEXTS, TEXTS, TEXTS, st.booleans(), TEXTS, TEXTS, TIMES)
VERDICTS = st.builds(Verdict, st.sampled_from(VerificationStage), st.booleans(), TEXTS, TIMES)
RECORDS = st.builds(
    VersionRecord,
    TEXTS,
    TEXTS,
    TEXTS,
    st.lists(VERDICTS, max_size=3).map(tuple),
    st.lists(CASES, max_size=3).map(tuple),
    st.booleans(),
)
LIMITS = st.builds(Limits, st.floats(0.001, LONGEST_TIME), st.integers(1, LARGEST_MEMORY))
NEEDS = st.frozensets(st.sampled_from(Need))
VERSIONS = st.builds(
    Version, st.integers(1), TEXTS, TIMES, st.sampled_from(VersionState), RECORDS, TEXTS, NEEDS, LIMITS, TEXTS
)
MANIFESTS = st.builds(
    Manifest,
    TEXTS,
    st.integers(0),
    st.integers(0),
    st.lists(VERSIONS, max_size=3).map(tuple),
    st.none() | st.builds(Disabling, TEXTS, st.booleans()),
)


@pytest.mark.slow
@given(MANIFESTS)
def test_tool_manifest_is_unchanged_by_serialization(manifest: Manifest) -> None:
    assert read_manifest(manifest_text(manifest), manifest.name) == manifest


@pytest.mark.slow
@given(MANIFESTS, st.data())
def test_checksum_detects_any_changed_character_of_manifest(manifest: Manifest, data: st.DataObject) -> None:
    text = manifest_text(manifest)
    start = text.index('"check"')
    place = data.draw(st.integers(start, len(text) - 2))
    letter = data.draw(st.characters(min_codepoint=33, max_codepoint=126).filter(lambda one: one != text[place]))
    try:
        read = read_manifest(f"{text[:place]}{letter}{text[place + 1 :]}", "double_it")
    except ValueError:
        return
    assert read == manifest  # the same value in a different notation


@given(st.text())
def test_rejects_text_that_is_not_a_tool_manifest(text: str) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - of many kinds
        read_manifest(text, "double_it")


def test_rejects_tool_manifest_with_wrong_types_and_valid_checksum() -> None:
    written = asdict(Manifest("double_it"))
    assert read_manifest(checked_json("tool", written, 1), "double_it") == Manifest("double_it")
    with pytest.raises(ValueError, match="active"):
        read_manifest(checked_json("tool", {**written, "active": "0"}, 1), "double_it")
