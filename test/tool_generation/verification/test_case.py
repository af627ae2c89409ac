from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from reachy_agent_ros.core.arguments import WholeNumber, parse_arguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.validation.program import Parameter, Program
from reachy_agent_ros.tool_generation.verification.case import MOST, Case, plain_case, read_cases


def test_reads_arguments_and_expectations_of_test_case() -> None:
    text = '[{"args": {"x": 1}, "expect": {"y": 2}}, {"args": {"x": -1}, "raises": "ValueError"}, {}]'
    assert read_cases(text) == (Case({"x": 1}, {"y": 2}), Case({"x": -1}, raises="ValueError"), Case())


def test_test_case_is_unchanged_by_serialization() -> None:
    cases = (Case({"x": 1}, {"y": [2, None]}), Case(raises="KeyError"), Case({"x": "ü"}))
    assert read_cases(json.dumps([case.document for case in cases])) == cases


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "not valid JSON"),
        ('{"args": {}}', "JSON list"),
        ("[1]", "Case 1 must be an object"),
        ('[{}, {"arguments": {}}]', "Case 2 has unknown keys 'arguments'"),
        ('[{"args": [1]}]', "args must be an object"),
        ('[{"raises": 3}]', "name of an exception"),
        ('[{"raises": "a b"}]', "name of an exception"),
        ('[{"raises": "ValueError", "expect": {}}]', "cannot both"),
        ('[{"args": {"x": NaN}}]', "NaN is not a JSON number"),
        ("[" * 100_000, "not valid JSON"),
        (json.dumps([{}] * (MOST + 1)), "at most"),
    ],
)
def test_rejects_invalid_test_cases_with_reason(text: str, complaint: str) -> None:
    with pytest.raises(AgentError, match=complaint) as caught:
        read_cases(text)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


def program(*annotations: Any) -> Program:
    parameters = [Parameter(f"p{number}", annotation, "It.") for number, annotation in enumerate(annotations)]
    optional = Parameter("calm", bool, "Whether.", required=False, default=True)
    return Program("", "tool", "Does it.", (*parameters, optional))


def test_generated_test_case_omits_arguments_with_defaults() -> None:
    assert plain_case(program()).arguments == {}


@pytest.mark.parametrize(
    "annotation",
    [
        *(str, int, float, bool, WholeNumber, dict, list, list[str], list[list[float]], dict[str, float]),
        *(str | None, int | str, Literal["left", "right"], tuple[float, float], Any),
        *(Annotated[float, Field(ge=5.0)], Annotated[int, Field(le=-3)]),
    ],
)
def test_generated_test_arguments_match_tool_schema(annotation: Any) -> None:
    tool = program(annotation)
    case = plain_case(tool)
    assert case.invented
    parsed = parse_arguments(tool.name, tool.arguments, json.dumps(dict(case.arguments)))
    assert parsed.model_fields_set == {"p0"}


@pytest.mark.parametrize(
    ("name", "description", "text"),
    [
        ("page_url", "Where it is.", "https://example.org/"),
        ("sources", "URLs of the feeds.", "https://example.org/"),
        ("colour", "Of the eyes.", "red"),
        ("time_zone", "Of the city.", "UTC"),
        ("alarm_time", "When.", "12:30"),
        ("person_name", "Who is greeted.", "Ada"),
        ("words", "What is said.", "hello"),
        ("hostile", "Whether a ghost curls.", "hello"),
    ],
)
def test_generated_test_text_matches_name_or_description_of_argument(name: str, description: str, text: str) -> None:
    tool = Program("", "tool", "Does it.", (Parameter(name, str, description),))
    assert plain_case(tool).arguments == {name: text}
    several = Program("", "tool", "Does it.", (Parameter(name, list[str], description),))
    assert plain_case(several).arguments == {name: [text]}
