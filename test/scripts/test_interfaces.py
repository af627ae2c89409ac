"""The interface definitions explain themselves, and the document made from them is current."""

import importlib
import re

import pytest

from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from scripts.interface_definitions import Endpoint, Entry, read_endpoints, read_package
from scripts.interface_document import DOCUMENT, PACKAGE, ROOT, document

DEFINITIONS = read_package(ROOT / PACKAGE)
ENDPOINTS = read_endpoints(ROOT / "reachy_agent_ros" / "core" / "names.py")
FIELDS: dict[str, Entry] = {
    f"{definition.name}.{section.title}.{entry.name}": entry
    for definition in DEFINITIONS
    for section in definition.sections
    for entry in section.fields
}
MEASURES = re.compile(r"float|geometry_msgs/(Point|Pose|Vector3)")
UNITS = re.compile(r"\b(rad|m|s|Hz|dB|pixels|0\.\.1|0 < \w+ <= 1|same unit|logarithm|the voice's own)\b|-1\.\.1")
MODULES = {"Topic": "msg", "Service": "srv", "Action": "action"}


def test_the_document_is_current() -> None:
    assert DOCUMENT.read_text(encoding="utf-8") == document(), "run scripts/interface_document.py"


def test_every_definition_begins_with_what_it_is() -> None:
    assert [definition.name for definition in DEFINITIONS if not definition.summary.endswith(".")] == []


def test_every_field_says_what_it_is() -> None:
    assert [name for name, field in FIELDS.items() if not field.comment] == []


def test_every_measure_names_its_unit_or_range() -> None:
    measures = {name: field for name, field in FIELDS.items() if MEASURES.match(field.type)}
    assert [name for name, field in measures.items() if not UNITS.search(field.comment)] == []


@pytest.mark.parametrize("endpoint", ENDPOINTS, ids=lambda endpoint: f"{endpoint.kind} {endpoint.name}")
def test_the_type_of_a_topic_service_or_action_exists(endpoint: Endpoint) -> None:
    package, name = endpoint.type.split("/")
    assert hasattr(importlib.import_module(f"{package}.{MODULES[endpoint.kind]}"), name)


def test_every_topic_service_and_action_is_described() -> None:
    values = {name: value for name, value in vars(names).items() if name.isupper() and isinstance(value, str)}
    described = {endpoint.name for endpoint in ENDPOINTS}
    no_endpoints = {*node_names(), names.TRAINER, names.NAMESPACE}
    no_endpoints |= {value for name, value in values.items() if name.endswith("_FRAME")}
    assert set(values.values()) - described <= no_endpoints
