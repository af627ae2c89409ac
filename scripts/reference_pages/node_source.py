"""Reader of node sources: parameters, publishers and subscriptions, as declared by the calls in the code.

Arguments are evaluated in the namespace of their module, so constants and enumerations have their values. A topic whose
name is computed at run time is not found here; `core/names.py` describes every topic.
"""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.ros.rclpy_ext import qos
from scripts.reference_pages.reachable_code import ROS, Definition, reachable

_PROFILES = {id(profile): name for name, profile in vars(qos).items() if name.isupper()}


@dataclass(frozen=True)
class Parameter:
    """ROS parameter of a node.

    Attributes:
        name: Name.
        default: Default value.
        description: Description with the unit.
        allowed: Range or choices in words; empty if any value is allowed.
    """

    name: str
    default: Any
    description: str
    allowed: str


@dataclass(frozen=True)
class Connection:
    """Publisher or subscription of a node.

    Attributes:
        topic: Name of the topic, relative to the robot's namespace unless it begins with a slash.
        publishes: Whether the node publishes the topic.
        profile: Name of the QoS profile.
    """

    topic: str
    publishes: bool
    profile: str


@dataclass(frozen=True)
class NodeSource:
    """Declarations in the source of a node.

    Attributes:
        purpose: First sentence of the node's module.
        parameters: Parameters in the order of the source.
        connections: Publishers and subscriptions in the order of the source.
    """

    purpose: str
    parameters: list[Parameter]
    connections: list[Connection]


def read_node(name: str) -> NodeSource:
    """Reads the modules of a node. They are imported."""
    main = f"{ROS}.{name}.{name}"
    purpose = (importlib.import_module(main).__doc__ or "").split("\n", 1)[0].partition(": ")[2]
    parameters: dict[str, Parameter] = {}
    connections: dict[Connection, None] = {}
    for module, definition in reachable(main):
        for found in _declarations(module, definition):
            if isinstance(found, Parameter):
                parameters.setdefault(found.name, found)
            else:
                connections.setdefault(found)
    return NodeSource(purpose, list(parameters.values()), list(connections))


def _declarations(module: str, definition: Definition) -> Iterator[Parameter | Connection]:
    namespace = {**vars(importlib.import_module(module))}
    for function in (node for node in ast.walk(definition) if isinstance(node, ast.FunctionDef)):
        values = _Values(namespace, function)
        for call in (node for node in ast.walk(function) if isinstance(node, ast.Call)):
            match call.func:
                case ast.Attribute(attr="parameter", value=ast.Name(id="self" | "node")):
                    yield _parameter(call, values)
                case ast.Attribute(attr="folder", value=ast.Name(id="self" | "node")) if call.args:
                    yield _folder(call, values)
                case ast.Attribute(attr="create_publisher" | "create_subscription" as kind):
                    yield from _connection(call, kind == "create_publisher", values)
                case _:
                    pass


class _Values:
    """Values of expressions in a function: by the module's names, and by local names that are assigned once."""

    def __init__(self, namespace: dict[str, Any], function: ast.FunctionDef) -> None:
        self._namespace = namespace
        self._locals = {
            target.id: node.value
            for node in ast.walk(function)
            if isinstance(node, ast.Assign) and not any(isinstance(part, ast.Await) for part in ast.walk(node))
            for target in node.targets
            if isinstance(target, ast.Name)
        }

    def is_constant(self, expression: ast.expr) -> bool:
        """Whether an expression is a literal, or a name of the module or of a module that it imports."""
        match expression:
            case ast.Constant():
                return True
            case ast.Name(id=name) | ast.Attribute(value=ast.Name(id=name)):
                return name in self._namespace and name not in self._locals
        return False

    def of(self, expression: ast.expr) -> Any:
        """Returns the value of an expression. Raises NameError or AttributeError if it depends on the run."""
        needed = {node.id for node in ast.walk(expression) if isinstance(node, ast.Name)} & self._locals.keys()
        local = {name: self.of(self._locals[name]) for name in needed}
        program = compile(ast.Expression(expression), "<declaration>", "eval")
        return eval(program, self._namespace, local)  # noqa: S307 - evaluates this repository's own source


def _parameter(call: ast.Call, values: _Values) -> Parameter:
    name, default, description = (values.of(argument) for argument in call.args)
    given = {keyword.arg: values.of(keyword.value) for keyword in call.keywords}
    allowed = ", ".join(given.get("choices", ()))
    if "low" in given:
        allowed = f"{given['low']:g} to {given['high']:g}"
    return Parameter(name, default, description, allowed)


def _folder(call: ast.Call, values: _Values) -> Parameter:
    name, description, *rest = (values.of(argument) for argument in call.args)
    place = f"`{rest[0]}` in the state directory" if rest else "the state directory"
    return Parameter(name, "", f"{description}; empty: {place}", "")


def _connection(call: ast.Call, publishes: bool, values: _Values) -> Iterator[Connection]:
    topic, profile = call.args[1], call.args[-1]
    if values.is_constant(topic) and values.is_constant(profile):
        yield Connection(values.of(topic), publishes, _PROFILES[id(values.of(profile))])
