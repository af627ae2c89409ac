from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.registry.transfer import LARGEST_FILE, export_text, read_export
from reachy_agent_ros.tool_generation.verification.case import Case
from support.tool_generation.registered_tools import program


def exported(cases: Sequence[Mapping[str, Any]] = ({"args": {"number": 2.0}, "expect": {"product": 4.0}},)) -> Any:
    return json.loads(export_text(program().source, "It multiplies.", cases))


def read(document: Any) -> Any:
    return read_export(json.dumps(document).encode())


def test_exported_tool_contains_source_test_cases_and_explanation() -> None:
    tool = read(exported())
    assert tool.source == program().source.encode()
    assert tool.explanation == "It multiplies."
    assert tool.cases == (Case({"number": 2.0}, {"product": 4.0}),)


def test_exported_tool_contains_every_kind_of_test_case() -> None:
    cases: list[dict[str, Any]] = [
        {"args": {"number": 1}, "expect": 0},
        {"args": {"number": "one"}, "raises": "TypeError"},
        {"args": {"number": 3}},
    ]
    tool = read(exported(cases))
    assert tool.cases == (Case({"number": 1}, 0), Case({"number": "one"}, raises="TypeError"), Case({"number": 3}))


def test_exported_tool_omits_request_and_verdicts() -> None:
    assert set(exported()) == {"format", "explanation", "source", "cases"}


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"verdicts": [{"stage": "sandbox", "ok": True}]}, "verdicts: Extra inputs"),
        ({"approved": True}, "approved: Extra inputs"),
        ({"format": "reachy_agent_ros tool 2"}, "format"),
        ({"source": ""}, "source"),
        ({"source": 7}, "source"),
        ({"source": "\ud800"}, "unicode"),
        ({"explanation": "x" * 8_001}, "explanation"),
        ({"cases": {}}, "cases"),
        ({"cases": [{"args": {}, "passed": True}]}, "passed"),
        ({"cases": [{"args": {}}] * 21}, "at most 20"),
        ({"cases": [{"args": [1]}]}, "args must be an object"),
    ],
)
def test_rejects_tool_file_with_invalid_fields(change: dict[str, Any], complaint: str) -> None:
    document = exported()
    with pytest.raises(AgentError, match=complaint) as refusal:
        read({**document, **change})
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xfe",
        b"[]",
        b"[" * 100_000,
        b'{"a":' * 100_000,
        b'{"format": NaN}',
        b'{"source": 1e999}',
        b" " * (LARGEST_FILE + 1),
    ],
)
def test_rejects_file_that_is_not_an_exported_tool(data: bytes) -> None:
    with pytest.raises(AgentError, match="not an exported tool") as refusal:
        read_export(data)
    assert refusal.value.code is ErrorCode.INVALID_ARGUMENTS


@given(st.binary())
def test_rejects_tool_file_of_random_bytes(data: bytes) -> None:
    with pytest.raises(AgentError):
        read_export(data)


def test_accepts_tool_files_up_to_256_kib() -> None:
    with pytest.raises(AgentError, match="more than 256 KiB"):
        read_export(b" " * (256 * 1024 + 1))
    with pytest.raises(AgentError) as refusal:
        read_export(b" " * (256 * 1024))
    assert "KiB" not in refusal.value.message


def test_accepts_tool_file_with_source_of_one_character() -> None:
    assert read({**exported(), "source": "x"}).source == b"x"


def test_reports_at_most_five_errors_in_tool_file() -> None:
    with pytest.raises(AgentError) as rejection:
        read({**exported(), **dict.fromkeys("abcdefg", 1)})
    assert rejection.value.message.count("Extra inputs") == 5


def test_reports_at_most_60_characters_of_field_name() -> None:
    with pytest.raises(AgentError) as rejection:
        read({**exported(), "k" * 70: 1})
    assert rejection.value.message.count("k" * 60 + ":") == 1
    assert "k" * 61 not in rejection.value.message
