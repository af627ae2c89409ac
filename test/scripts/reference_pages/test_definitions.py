"""Tests that interface definitions and names can be parsed and have complete documentation."""

import importlib
import re
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from scripts.reference_pages.definitions import Endpoint, Entry, read_definition, read_endpoints, read_package
from scripts.reference_pages.paths import NAMES, PACKAGE, ROOT

DEFINITIONS = read_package(ROOT / PACKAGE)
ENDPOINTS = read_endpoints(NAMES)
ENTRIES: dict[str, Entry] = {
    f"{definition.name}.{section.title}.{entry.name}": entry
    for definition in DEFINITIONS
    for section in definition.sections
    for entry in section.entries
}
MEASURES = re.compile(r"float|geometry_msgs/(Point|Pose|Vector3)")
UNITS = re.compile(
    r"\b(rad|m|s|Hz|dB|pixels|\d[\d.]*\.\.\d|0 < \w+ <= 1|same unit|logarithm|the voice's own)\b|-1\.\.1"
)
MODULES = {"Topic": "msg", "Service": "srv", "Action": "action"}


def test_definition_parser_reads_constants_fields_and_summary(tmp_path: Path) -> None:
    path = tmp_path / "Light.msg"
    path.write_text("# State of\n# a light.\n\nuint8 OFF = 0  # No light\nuint8 state  # OFF\nstring name\n")
    definition = read_definition(path)
    assert definition.summary == "State of a light."
    (section,) = definition.sections
    assert section.constants == [Entry("uint8", "OFF", "No light", "0")]
    assert section.fields == [Entry("uint8", "state", "OFF"), Entry("string", "name", "")]


def test_rejects_definition_line_that_cannot_be_parsed(tmp_path: Path) -> None:
    path = tmp_path / "Light.srv"
    path.write_text("bool on\n---\nsuccess\n")
    with pytest.raises(ValueError, match="cannot read 'success'"):
        read_definition(path)


def test_parses_rate_of_topic() -> None:
    (joints,) = [one for one in ENDPOINTS if one.name == names.JOINT_STATES]
    assert (joints.node, joints.relation, joints.rate) == ("hardware_bridge", "from", "50 Hz")


def test_every_interface_definition_has_summary() -> None:
    assert [definition.name for definition in DEFINITIONS if not definition.summary.endswith(".")] == []


def test_every_field_and_constant_has_comment() -> None:
    assert [name for name, entry in ENTRIES.items() if not entry.comment] == []


def test_every_numeric_quantity_states_unit_or_range() -> None:
    measures = {name: entry for name, entry in ENTRIES.items() if entry.value is None and MEASURES.match(entry.type)}
    assert [name for name, field in measures.items() if not UNITS.search(field.comment)] == []


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.kind} {endpoint.name}")
def test_every_ros_endpoint_has_existing_type(endpoint: Endpoint) -> None:
    package, name = endpoint.type.split("/")
    assert hasattr(importlib.import_module(f"{package}.{MODULES[endpoint.kind]}"), name)


def test_every_ros_name_has_description() -> None:
    values = {name: value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)}
    described = {endpoint.name for endpoint in ENDPOINTS}
    no_endpoints = {*node_names(), names.TRAINER, names.NAMESPACE}
    no_endpoints |= {value for name, value in values.items() if name.endswith("_FRAME")}
    assert set(values.values()) - described <= no_endpoints
