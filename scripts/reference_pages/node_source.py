"""Reader of node sources, which finds the publishers and subscriptions that the code declares.

Arguments are evaluated in the namespace of their module, so constants and enumerations have their values. A topic whose
name is computed at run time is not found here; `core/names.py` describes every topic.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass

from reachy_agent_ros.ros.rclpy_ext import qos
from scripts.reference_pages.expressions import Values, calls
from scripts.reference_pages.reachable_code import ROS, Definition, imports, reachable

_PROFILES = {id(profile): name for name, profile in vars(qos).items() if name.isupper()}


@dataclass(frozen=True)
class Connection:
    """Publisher or subscription in the source of a node.

    Attributes:
        topic: Name of the topic, relative to the robot's namespace unless it begins with a slash.
        publishes: Whether the node publishes the topic.
        profile: Name of the QoS profile.
        type: Package and name of the message.
    """

    topic: str
    publishes: bool
    profile: str
    type: str


@dataclass(frozen=True)
class NodeSource:
    """Declarations in the source of a node.

    Attributes:
        purpose: First line of the docstring of the node's module, after the name of the node.
        connections: Publishers and subscriptions in the order of the source.
    """

    purpose: str
    connections: list[Connection]


def read_node(name: str) -> NodeSource:
    """Imports the modules of a node, and reads the declarations in their source."""
    main = f"{ROS}.{name}.{name}"
    purpose = (importlib.import_module(main).__doc__ or "").split("\n", 1)[0].partition(": ")[2]
    connections: dict[Connection, None] = {}
    for module, definition in reachable(main):
        for found in _declarations(module, definition):
            connections.setdefault(found)
        connections.update(dict.fromkeys(_tables(module)))
    return NodeSource(purpose, list(connections))


def _declarations(module: str, definition: Definition) -> Iterator[Connection]:
    namespace = vars(importlib.import_module(module))
    for function in (node for node in ast.walk(definition) if isinstance(node, ast.FunctionDef)):
        for call, values in calls(function, Values(namespace, function)):
            if isinstance(call.func, ast.Attribute) and call.func.attr in ("create_publisher", "create_subscription"):
                yield from _connection(call, call.func.attr == "create_publisher", module, values)


def _tables(module: str) -> Iterator[Connection]:
    """Yields the subscriptions in a module's tables (tuples of objects with message type, topic and QoS profile)."""
    for table in vars(importlib.import_module(module)).values():
        for row in table if isinstance(table, tuple) else ():
            if hasattr(row, "profile") and hasattr(row, "topic"):
                yield Connection(row.topic, False, _PROFILES[id(row.profile)], _type_name(row.type))


def _connection(call: ast.Call, publishes: bool, module: str, values: Values) -> Iterator[Connection]:
    message, topic, *_, profile = call.args
    if all(map(values.is_constant, (message, topic, profile))):
        kind = _message_type(message, module, values)
        yield Connection(values.of(topic), publishes, _PROFILES[id(values.of(profile))], kind)


def _message_type(expression: ast.expr, module: str, values: Values) -> str:
    """Returns the package and name of a message. Reads them from the imports, as the package may not be installed."""
    imported = imports(module).get(expression.id) if isinstance(expression, ast.Name) else None
    if imported is None:
        return _type_name(values.of(expression))
    package, name = imported
    return f"{package.partition('.')[0]}/{name}"


def _type_name(message: type) -> str:
    return f"{message.__module__.partition('.')[0]}/{message.__name__}"
