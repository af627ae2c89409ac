from __future__ import annotations

import json
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from reachy_agent_ros.core.arguments import WholeNumber, parse_arguments
from reachy_agent_ros.tool_generation.program import Parameter, Program
from reachy_agent_ros.tool_generation.proving.plain_case import plain_case


def program(*annotations: Any) -> Program:
    parameters = [Parameter(f"p{number}", annotation, "It.") for number, annotation in enumerate(annotations)]
    optional = Parameter("calm", bool, "Whether.", required=False, default=True)
    return Program("", "tool", "Does it.", (*parameters, optional))


def test_defaults_are_left_to_the_tool() -> None:
    assert plain_case(program()).arguments == {}


@pytest.mark.parametrize(
    "annotation",
    [
        *(str, int, float, bool, WholeNumber, dict, list, list[str], list[list[float]], dict[str, float]),
        *(str | None, int | str, Literal["left", "right"], tuple[float, float], Any),
        *(Annotated[float, Field(ge=5.0)], Annotated[int, Field(le=-3)]),
    ],
)
def test_invented_arguments_fit_the_schema(annotation: Any) -> None:
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
def test_a_text_is_what_its_name_or_its_description_says(name: str, description: str, text: str) -> None:
    tool = Program("", "tool", "Does it.", (Parameter(name, str, description),))
    assert plain_case(tool).arguments == {name: text}
    several = Program("", "tool", "Does it.", (Parameter(name, list[str], description),))
    assert plain_case(several).arguments == {name: [text]}
