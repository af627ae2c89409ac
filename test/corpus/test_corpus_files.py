"""Tests that the corpus files result in the same sources as in commit 9824ca9.

The tests also check that mistakes in the files are reported.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from corpus.honest_tools import honest_tools
from corpus.hostile_tools import CATEGORIES, FOLDER, HostileTool, hostile_tools, read_category
from reachy_agent_ros.core.errors import AgentError, ErrorCode

GOOD = {"payload": "leak = CANARY_FIRED", "refused_by": "syntax"}


def _original(tool: HostileTool) -> str:
    """Returns the tool in its original file format, which begins with a comment about the expected outcome."""
    marks = {"contained": tool.contained, "must fail": tool.must_fail, "dangerous": tool.dangerous}
    marks["twice"] = tool.runs == 2
    lines = [", ".join(mark for mark, is_set in marks.items() if is_set)]
    if tool.expect != {"answer": 42}:
        lines.insert(0, f"expect {json.dumps(tool.expect)}")
    return "".join(f"# {line}\n" for line in lines if line) + _with_old_names(tool.text)


_RENAMED = {
    "reachy_agent_ros.tool_generation.guest.": "reachy_agent_ros.toolsmith.inside.",
    "reachy_agent_ros.tool_generation.verification.": "reachy_agent_ros.toolsmith.proving.",
}
"""Packages that two hostile tools import, and their names in the recorded sources."""


def _with_old_names(text: str) -> str:
    for name, old in _RENAMED.items():
        text = text.replace(name, old)
    return text


def _expanded() -> dict[str, str]:
    files = {f"bench/hostile_tools/{tool.name}.py": _original(tool) for tool in hostile_tools()}
    for tool in honest_tools():
        files[f"bench/legitimate_tools/{tool.name}.py"] = tool.source
        files[f"bench/legitimate_tools/{tool.name}.cases.json"] = tool.cases
    return files


def test_corpus_expands_to_recorded_sources() -> None:
    lines = (FOLDER / "sums.sha256").read_text().splitlines()
    recorded = {path: digest for digest, path in (line.split() for line in lines)}
    expanded = {path: hashlib.sha256(text.encode()).hexdigest() for path, text in _expanded().items()}
    assert len(recorded) == 689 + 2 * 95
    assert {path for path, digest in recorded.items() if expanded.get(path) != digest} == set()


def test_every_category_of_corpus_has_tools() -> None:
    assert {tool.category for tool in hostile_tools()} == set(CATEGORIES)
    assert len({tool.name for tool in hostile_tools()}) == len(hostile_tools())


@pytest.mark.parametrize(
    ("changed", "complaint"),
    [
        ({"paylod": "x = 1"}, "tools bad paylod: Extra inputs are not permitted"),
        ({"refused_by": "nobody"}, "tools bad refused_by: Input should be 'text', 'syntax', 'sandbox' or 'trial'"),
        ({"refused_by": None}, "tools bad: a tool that no stage rejects must be contained"),
        ({"source": "x = 1"}, "tools bad: source is the whole tool: remove it, or payload"),
        ({"shell": "egg"}, "tools bad: unknown shell 'egg'; shells.yaml has attack, body, harmless, forged_frames"),
        ({"payload": None}, "tools bad: the shell 'attack' needs a payload"),
        ({"shell": "harmless"}, "tools bad: the shell 'harmless' takes no payload"),
        ({"runs": 0}, "tools bad runs: Input should be greater than or equal to 1"),
    ],
)
def test_corpus_error_names_file_tool_and_mistake(tmp_path: Path, changed: dict[str, object], complaint: str) -> None:
    path = tmp_path / "file.yaml"
    path.write_text(json.dumps({"shell": "attack", "tools": {"good": GOOD, "bad": GOOD | changed}}))
    with pytest.raises(AgentError) as error:
        read_category(path)
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert error.value.message.startswith(f"{path}: ")
    assert complaint in error.value.message


def test_rejects_duplicate_tool_in_corpus(tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_text('{"shell": "attack", "tools": {"one": {}, "one": {}}}')
    with pytest.raises(AgentError, match="'one' is set twice"):
        read_category(path)
