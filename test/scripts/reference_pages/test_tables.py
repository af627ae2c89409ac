"""Tests of the contents of reference pages: commands, configuration, schemas, QoS profiles and errors."""

import argparse
import re
from pathlib import Path

import pytest

from reachy_agent_ros.settings.arguments import declared_arguments
from scripts.reference_pages.commands import command_page
from scripts.reference_pages.configuration import ENVIRONMENT, configuration_page
from scripts.reference_pages.errors import error_page
from scripts.reference_pages.markdown import sentence, table
from scripts.reference_pages.paths import ROOT
from scripts.reference_pages.qos_profiles import profile_table
from scripts.reference_pages.schemas import Schema, field_table, type_of

VARIABLE = re.compile(r'"(REACHY_AGENT_[A-Z_]+|OTEL_[A-Z_]+)"')


def test_table_escapes_separators() -> None:
    assert table(("A",), [("x|y\nz",)]) == "| A |\n| --- |\n| x\\|y z |"


def test_table_without_rows_is_empty() -> None:
    assert table(("A",), []) == ""


def test_formatted_sentence_has_capital_letter_and_period() -> None:
    assert (sentence("first words"), sentence("Done."), sentence("")) == ("First words.", "Done.", "")


def test_command_page_has_every_command_with_examples() -> None:
    page = command_page()
    for path in sorted((ROOT / "reachy_agent_ros" / "cli" / "commands").glob("[a-z]*")):
        assert f"\n## {path.stem}\n" in page
        assert f"```bash\nreachy-agent {path.stem}" in page or f"$(reachy-agent {path.stem}" in page


def test_command_page_omits_empty_default_values() -> None:
    rows = [line.split(" | ") for line in command_page().splitlines() if line.startswith("| `")]
    assert {row[1] for row in rows} & {"`None`", "`False`", f"`{argparse.SUPPRESS}`", "`inf`", "`[]`"} == set()


def test_configuration_page_lists_every_launch_argument() -> None:
    page = configuration_page()
    assert [one.name for one in declared_arguments() if f"\n| `{one.name}` | " not in page] == []


def test_configuration_page_is_same_on_every_machine() -> None:
    assert str(Path.home()) not in configuration_page()


def test_configuration_page_lists_every_environment_variable_used_in_code() -> None:
    sources = (ROOT / "reachy_agent_ros").rglob("*.py")
    named = {name for path in sources for name in VARIABLE.findall(path.read_text(encoding="utf-8"))}
    assert named <= set(ENVIRONMENT)


def test_qos_profile_table_has_policies_and_purpose() -> None:
    use = "Profile for state: late subscribers receive the latest value."
    assert f"| `LATCHED` | reliable | transient local | 1 | {use} |" in profile_table()


def test_error_page_has_meaning_and_remedy() -> None:
    row = "| `EMPTY_TEXT` | 300 | 422 | The text is empty. | Send some words. |"
    assert row in error_page()


@pytest.mark.parametrize(
    ("schema", "words"),
    [
        ({"type": "array", "items": {"type": "number"}}, "list of number"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, "string or null"),
        ({"enum": ["a", "b"]}, "`a`, `b`"),
        ({"type": "string", "format": "binary"}, "file"),
        ({"$ref": "#/components/schemas/Plan"}, "[Plan](rest_schemas.md#plan)"),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "object of number"),
        ({}, "any"),
    ],
)
def test_type_of_json_schema_is_formatted_as_text(schema: Schema, words: str) -> None:
    assert type_of(schema) == words


def test_field_table_distinguishes_required_from_optional_fields() -> None:
    fields = {
        "name": {"type": "string", "maxLength": 5, "description": "Name."},
        "wait": {"type": "boolean", "default": True},
        "pose": {"type": "null"},
    }
    lines = field_table({"required": ["name"], "properties": fields}).splitlines()[2:]
    assert lines == [
        "| `name` | string |  | Name. At most 5 characters. |",
        "| `wait` | boolean | `true` |  |",
        "| `pose` | null | optional |  |",
    ]
