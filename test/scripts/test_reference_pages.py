"""Generated reference pages: they agree with the code, and the interface definitions document themselves."""

import importlib
import re

import pytest

from reachy_agent_ros.bringup import node_names
from reachy_agent_ros.core import names
from scripts.reference_pages.__main__ import stale
from scripts.reference_pages.definitions import Endpoint, Entry, read_endpoints, read_package
from scripts.reference_pages.node_source import Connection, read_node
from scripts.reference_pages.paths import NAMES, PACKAGE, ROOT

DEFINITIONS = read_package(ROOT / PACKAGE)
ENDPOINTS = read_endpoints(NAMES)
FIELDS: dict[str, Entry] = {
    f"{definition.name}.{section.title}.{entry.name}": entry
    for definition in DEFINITIONS
    for section in definition.sections
    for entry in section.fields
}
MEASURES = re.compile(r"float|geometry_msgs/(Point|Pose|Vector3)")
UNITS = re.compile(r"\b(rad|m|s|Hz|dB|pixels|0\.\.1|0 < \w+ <= 1|same unit|logarithm|the voice's own)\b|-1\.\.1")
MODULES = {"Topic": "msg", "Service": "srv", "Action": "action"}


def test_pages_agree_with_the_code() -> None:
    assert stale() == [], "run scripts/reference"


@pytest.mark.parametrize("name", node_names())
def test_node_publishes_each_topic_that_names_it_as_publisher(name: str) -> None:
    described = {one.name for one in ENDPOINTS if one.kind == "Topic" and (one.node, one.relation) == (name, "from")}
    assert described <= {one.topic for one in read_node(name).connections if one.publishes}


def test_reads_profile_of_imported_subscriber() -> None:
    assert Connection("head_pose", False, "SENSOR") in read_node("vision").connections


def test_reads_range_and_unit_of_parameter() -> None:
    (rate,) = [one for one in read_node("camera").parameters if one.name == "rate"]
    assert (rate.default, rate.allowed, rate.description[-2:]) == (10.0, "0.1 to 30", "Hz")


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
