from typing import Annotated

import pytest
from jsonschema import Draft202012Validator
from pydantic import Field

from reachy_agent_ros.core.arguments import OneOf, ToolArguments, WholeNumber, parse_arguments, schema_of
from reachy_agent_ros.core.errors import AgentError, ErrorCode


class Arguments(ToolArguments):
    yaw_deg: float = Field(0.0, ge=-90.0, le=90.0, description="Degrees.")
    times: WholeNumber = Field(1, ge=1, le=3, description="How often.")
    mood: Annotated[str, OneOf(("calm", "glad"))] = Field(description="Which.")


SCHEMA = schema_of(Arguments)


def read(arguments_json: str) -> Arguments:
    return parse_arguments("nod", Arguments, arguments_json)


def complaint(arguments_json: str) -> str:
    with pytest.raises(AgentError) as caught:
        read(arguments_json)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    return caught.value.message


def test_schema_of_arguments_has_ranges_defaults_and_descriptions() -> None:
    Draft202012Validator.check_schema(SCHEMA)
    assert SCHEMA == {
        "type": "object",
        "additionalProperties": False,
        "properties": {
            "yaw_deg": {"type": "number", "minimum": -90.0, "maximum": 90.0, "default": 0.0, "description": "Degrees."},
            "times": {"type": "integer", "minimum": 1, "maximum": 3, "default": 1, "description": "How often."},
            "mood": {"type": "string", "enum": ["calm", "glad"], "description": "Which."},
        },
        "required": ["mood"],
    }


def test_parses_valid_arguments_with_defaults() -> None:
    arguments = read('{"mood": "glad", "times": 2.0}')
    assert (arguments.mood, arguments.times, arguments.yaw_deg) == ("glad", 2, 0.0)


def test_argument_error_names_every_invalid_argument() -> None:
    message = complaint('{"yaw_deg": 300, "times": "2", "pace": 1}')
    assert "yaw_deg must be less than or equal to 90, not 300" in message
    assert "times must be a valid integer, not '2'" in message
    assert "the argument 'mood' is missing" in message
    assert "there is no argument 'pace'; the arguments are: yaw_deg, times, mood" in message


def test_argument_error_lists_allowed_values() -> None:
    assert "mood must be 'calm' or 'glad', not 'sad'" in complaint('{"mood": "sad"}')


@pytest.mark.parametrize("text", ["{", "[]", "null", "7", '"mood"', '{"mood": "calm"} x', "\x00", "{'mood': 'calm'}"])
def test_rejects_arguments_that_are_not_a_json_object(text: str) -> None:
    assert "the arguments must be one JSON object" in complaint(text)


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_rejects_non_finite_number_in_arguments(number: str) -> None:
    assert "yaw_deg must be a finite number" in complaint(f'{{"mood": "calm", "yaw_deg": {number}}}')


def test_empty_text_is_parsed_as_no_arguments() -> None:
    class NoArguments(ToolArguments):
        pass

    assert parse_arguments("rest", NoArguments, "") == parse_arguments("rest", NoArguments, " {} ") == NoArguments()
    assert schema_of(NoArguments)["properties"] == {}


class Place(ToolArguments):
    """Text that must not appear in the schema."""

    name: str = Field(description="What it is called.")


class Way(ToolArguments):
    start: Place = Field(description="Where it begins.")
    stops: tuple[Place, ...] = Field((), description="Where it leads.")


def test_nested_argument_schema_is_inlined() -> None:
    name = {"name": {"type": "string", "description": "What it is called."}}
    place = {"type": "object", "additionalProperties": False, "properties": name, "required": ["name"]}
    assert schema_of(Way)["properties"] == {
        "start": {**place, "description": "Where it begins."},
        "stops": {"type": "array", "items": place, "default": [], "description": "Where it leads."},
    }
