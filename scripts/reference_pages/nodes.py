"""Pages of the nodes: parameters, topics, services and actions, with their QoS profiles."""

from __future__ import annotations

from collections.abc import Iterator

from reachy_agent_ros.bringup import node_names
from scripts.reference_pages.definitions import Endpoint, read_endpoints
from scripts.reference_pages.interfaces import interface_link
from scripts.reference_pages.markdown import code, page, sentence, table
from scripts.reference_pages.node_source import Connection, NodeSource, Parameter, read_node
from scripts.reference_pages.paths import NAMES

_COMMON = """\
Every node also publishes `heartbeat` below its own name (10 Hz) and `/diagnostics` (1 Hz). Names are relative to the
robot's namespace, `/reachy_mini`. [QoS profiles](index.md#qos-profiles) explains the profiles. Services and actions use
the profile `CALLS`.
"""

_INDEX = """\
Names are relative to the robot's namespace, `/reachy_mini`. Units are SI: m, rad, s. Frames follow REP-103: x forward,
y left, z up. Errors are reported as `error_code` ([error codes](../errors.md)) and `error_msg`.

Message types: [messages](messages.md), [services](services.md), [actions](actions.md).
"""

_PROFILES = """\
| Profile | Reliability | Durability | Depth | Used for |
| --- | --- | --- | --- | --- |
| `STANDARD` | reliable | volatile | 10 | events and commands |
| `LATCHED` | reliable | transient local | 1 | state: late subscribers receive the latest value |
| `RECENT` | reliable | transient local | 100 | events: late subscribers receive the last 100 |
| `CALLS` | reliable | volatile | 100 | services, actions, and events that must not be lost |
| `SENSOR` | best effort | volatile | 10 | sensor streams |
| `LATEST` | best effort | volatile | 1 | streams of which only the newest sample matters |
| `AUDIO` | reliable | volatile | 100 | audio |
"""


def node_pages() -> dict[str, str]:
    """Returns the page of each node and the index, by name."""
    endpoints = read_endpoints(NAMES)
    sources = {name: read_node(name) for name in node_names()}
    pages = {name: _node_page(name, source, endpoints) for name, source in sources.items()}
    rows = [(f"[{code(name)}]({name}.md)", sentence(source.purpose)) for name, source in sources.items()]
    nodes = table(("Node", "Purpose"), rows)
    tables = [f"## {kind}s\n\n{_endpoint_table(kind, endpoints)}" for kind in ("Topic", "Service", "Action")]
    profiles = f"## QoS profiles\n\nDefined in `reachy_agent_ros/ros/rclpy_ext/qos.py`.\n\n{_PROFILES}"
    pages["index"] = page("ROS interfaces", _INDEX, f"## Nodes\n\n{nodes}", *tables, profiles)
    return pages


def parameter_table(parameters: list[Parameter]) -> str:
    """Returns a table of parameters."""
    rows = [(code(one.name), _default(one), one.allowed, sentence(one.description)) for one in parameters]
    return table(("Parameter", "Default", "Allowed values", "Meaning"), rows)


def _node_page(name: str, source: NodeSource, endpoints: list[Endpoint]) -> str:
    served = [one for one in endpoints if one.node == name and one.relation == "at"]
    return page(
        name,
        sentence(source.purpose),
        _COMMON,
        "## Parameters\n\nSet them with launch arguments where the [configuration](../configuration.md) lists one. "
        f"All parameters are read-only.\n\n{parameter_table(source.parameters)}",
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
            yield f"## {title}\n\n{table(('Topic', 'Type', 'QoS', 'Content'), sorted(rows))}"


def _topic_row(connection: Connection, topics: dict[str, Endpoint]) -> tuple[str, ...]:
    endpoint = topics.get(connection.topic)
    kind, text = (interface_link(endpoint.type), sentence(endpoint.text)) if endpoint else ("", "Standard ROS topic.")
    return code(connection.topic), kind, code(connection.profile), text


def _served_row(endpoint: Endpoint) -> tuple[str, ...]:
    return code(endpoint.name), interface_link(endpoint.type), sentence(endpoint.text)


def _endpoint_table(kind: str, endpoints: list[Endpoint]) -> str:
    relations = {"from": "published by ", "to": "read by ", "at": ""}
    rows = [
        (
            code(one.name),
            interface_link(one.type),
            f"{relations[one.relation]}[{code(one.node)}]({one.node}.md)",
            one.text,
        )
        for one in endpoints
        if one.kind == kind
    ]
    return table(("Name", "Type", "Node", "Content"), rows)


def _default(parameter: Parameter) -> str:
    value = parameter.default
    if isinstance(value, bool):
        return code(str(value).lower())
    return code(f"{value:.4g}" if isinstance(value, float) else str(value)) or "empty"
