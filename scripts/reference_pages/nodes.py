"""Pages of the nodes: parameters, topics, services and actions, with their QoS profiles."""

from __future__ import annotations

import math
from collections.abc import Iterator

from reachy_agent_ros.bringup import arguments_of, node_names
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter
from scripts.reference_pages.definitions import Endpoint, read_endpoints
from scripts.reference_pages.interfaces import interface_link
from scripts.reference_pages.markdown import EMPTY, code, page, sentence, table
from scripts.reference_pages.node_source import Connection, NodeSource, read_node
from scripts.reference_pages.paths import NAMES
from scripts.reference_pages.qos_profiles import profile_table

_COMMON = """\
Every node also publishes `heartbeat` below its own name (10 Hz, `HEARTBEAT`) and `/diagnostics` (1 Hz, `STANDARD`).
Names are relative to the robot's namespace, `/reachy_mini`. [QoS profiles](index.md#qos-profiles) lists the profiles.
Services and actions use the profile `CALLS`.
"""

_PARAMETERS = """\
A [launch argument](../configuration.md#launch-arguments) replaces the default of its parameter.
"""

_READ_ONLY = "All parameters are read-only while the node runs."

_INDEX = """\
Names are relative to the robot's namespace, `/reachy_mini`. Units are SI: m, rad, s. Frames follow REP-103: x forward,
y left, z up. Errors are reported as `error_code` ([error codes](../errors.md)) and `error_msg`.

Interface types: [messages](messages.md), [services](services.md), [actions](actions.md).
"""

_PROFILES = """\
`reachy_agent_ros/ros/rclpy_ext/qos.py` defines the profiles. All of them keep the last messages up to their depth.
"""


def node_pages() -> dict[str, str]:
    """Returns the page of each node and the index page, keyed by page name."""
    endpoints = read_endpoints(NAMES)
    sources = {name: read_node(name) for name in node_names()}
    pages = {name: _node_page(name, source, endpoints) for name, source in sources.items()}
    rows = [(f"[{code(name)}]({name}.md)", sentence(source.purpose)) for name, source in sources.items()]
    nodes = table(("Node", "Purpose"), rows)
    tables = [f"## {kind}s\n\n{_endpoint_table(kind, endpoints)}" for kind in ("Topic", "Service", "Action")]
    profiles = f"## QoS profiles\n\n{_PROFILES}\n{profile_table()}"
    pages["index"] = page("ROS interfaces", _INDEX, f"## Nodes\n\n{nodes}", *tables, profiles)
    return pages


def parameter_table(node: str) -> str:
    """Returns a table of a node's parameters, with the launch arguments that set the parameters."""
    arguments = arguments_of(node)
    rows = [
        (code(one.name), _type(one), default_value(one), _meaning(one, arguments.get(one.name, [])))
        for one in NODE_PARAMETERS[node].values()
    ]
    return table(("Parameter", "Type", "Default", "Meaning"), rows)


def _node_page(name: str, source: NodeSource, endpoints: list[Endpoint]) -> str:
    served = [one for one in endpoints if one.node == name and one.relation == "at"]
    read_only = "" if any(one.changes_live for one in NODE_PARAMETERS[name].values()) else _READ_ONLY
    return page(
        name,
        sentence(source.purpose),
        _COMMON,
        "\n\n".join(filter(None, ("## Parameters", _PARAMETERS.strip(), read_only, parameter_table(name)))),
        *_sections(source, endpoints),
        *(
            f"## {kind}s\n\n{table(('Name', 'Type', 'Purpose'), rows)}"
            for kind in ("Service", "Action")
            if (rows := [_served_row(one) for one in served if one.kind == kind])
        ),
    )


def _sections(source: NodeSource, endpoints: list[Endpoint]) -> Iterator[str]:
    topics = {one.name: one for one in endpoints if one.kind == "Topic"}
    for title, publishes in (("Published topics", True), ("Subscribed topics", False)):
        rows = [_topic_row(one, topics) for one in source.connections if one.publishes is publishes]
        if rows:
            yield f"## {title}\n\n{table(('Topic', 'Type', 'QoS', 'Rate', 'Content'), sorted(rows))}"


def _topic_row(connection: Connection, topics: dict[str, Endpoint]) -> tuple[str, ...]:
    endpoint = topics.get(connection.topic)
    rate, text = (endpoint.rate, sentence(endpoint.text)) if endpoint else ("", "Standard ROS topic.")
    return code(connection.topic), interface_link(connection.type), code(connection.profile), rate, text


def _served_row(endpoint: Endpoint) -> tuple[str, ...]:
    return code(endpoint.name), interface_link(endpoint.type), sentence(endpoint.text)


def _endpoint_table(kind: str, endpoints: list[Endpoint]) -> str:
    relations = {"from": "published by ", "to": "read by ", "at": ""}
    rows = [
        (
            code(one.name),
            interface_link(one.type),
            f"{relations[one.relation]}[{code(one.node)}]({one.node}.md)",
            one.rate,
            sentence(one.text),
        )
        for one in endpoints
        if one.kind == kind
    ]
    if kind == "Topic":
        return table(("Name", "Type", "Node", "Rate", "Content"), rows)
    return table(("Name", "Type", "Node", "Purpose"), [(name, *rest, text) for name, *rest, _, text in rows])


def _type(parameter: Parameter) -> str:
    if parameter.choices:
        return ", ".join(map(code, parameter.choices))
    return parameter.type + (f", {parameter.low:g} to {parameter.high:g}" if math.isfinite(parameter.low) else "")


def _meaning(parameter: Parameter, arguments: list[str]) -> str:
    unit = f", {parameter.unit}" if parameter.unit else ""
    changes = "Can be changed while the node runs." if parameter.changes_live else ""
    argument = f"Launch argument: {', '.join(map(code, arguments))}." if arguments else ""
    return " ".join(filter(None, (sentence(parameter.description + unit), changes, argument)))


def default_value(parameter: Parameter) -> str:
    """Returns the default value of a setting as code."""
    value = parameter.default
    if isinstance(value, bool):
        return code(str(value).lower())
    return code(f"{value:.4g}" if isinstance(value, float) else str(value)) or EMPTY
