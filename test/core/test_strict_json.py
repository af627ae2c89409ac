from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.strict_json import strict_json

texts = st.text(st.characters(exclude_categories=["Cc", "Cs"]) | st.sampled_from("\t\n\r"), max_size=10)
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4),
    max_leaves=20,
)


@given(values)
def test_reads_output_of_standard_json_library(value: Any) -> None:
    assert strict_json(json.dumps(value)) == value
    assert strict_json(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ('{"yaw_deg": 0, "yaw_deg": 90}', "the name 'yaw_deg' occurs twice in an object"),
        ('[{"a": {"b": 1, "\\u0062": 2}}]', "the name 'b' occurs twice in an object"),
        ('["a\\u0000b"]', "contains a control character"),
        ('{"a\\u001f": 1}', "contains a control character"),
        ("[NaN]", "NaN is not a valid JSON number"),
        ("-Infinity", "-Infinity is not a valid JSON number"),
        ('{"x": [1e999]}', "1e999 is too large a number"),
        ('{"x": [-1' + "0" * 400 + "]}", "-10+ is too large a number"),
        ("1" + "0" * 5_000, "10+ is too large a number"),
        ("[" * 100_000, "it is nested too deeply"),
        ("", "Expecting value"),
        ('{"a": 1}{', "Extra data"),
    ],
)
def test_rejects_json_that_parsers_interpret_differently(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint.replace("'", ".")):
        strict_json(text)


@given(st.binary(max_size=50))
def test_any_bytes_are_parsed_as_json_or_rejected(data: bytes) -> None:
    with suppress(ValueError):
        strict_json(data)
