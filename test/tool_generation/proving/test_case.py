from __future__ import annotations

import json

import pytest

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.proving.case import MOST, Case, read_cases


def test_a_case_has_arguments_and_what_is_expected_of_them() -> None:
    text = '[{"args": {"x": 1}, "expect": {"y": 2}}, {"args": {"x": -1}, "raises": "ValueError"}, {}]'
    assert read_cases(text) == (Case({"x": 1}, {"y": 2}), Case({"x": -1}, raises="ValueError"), Case())


def test_a_case_is_written_as_it_is_read() -> None:
    cases = (Case({"x": 1}, {"y": [2, None]}), Case(raises="KeyError"), Case({"x": "ü"}))
    assert read_cases(json.dumps([case.document for case in cases])) == cases


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "no JSON"),
        ('{"args": {}}', "JSON list"),
        ("[1]", "Case 1 must be an object"),
        ('[{}, {"arguments": {}}]', "Case 2 has 'arguments'"),
        ('[{"args": [1]}]', "args must be an object"),
        ('[{"raises": 3}]', "name of an exception"),
        ('[{"raises": "a b"}]', "name of an exception"),
        ('[{"raises": "ValueError", "expect": {}}]', "cannot both"),
        ('[{"args": {"x": NaN}}]', "NaN is no JSON number"),
        ("[" * 100_000, "no JSON"),
        (json.dumps([{}] * (MOST + 1)), "at most"),
    ],
)
def test_anything_else_is_refused_with_a_reason(text: str, complaint: str) -> None:
    with pytest.raises(AgentError, match=complaint) as caught:
        read_cases(text)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
