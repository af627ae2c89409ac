"""Classes and functions that a node uses, found by following names through the modules of `reachy_agent_ros.ros`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache

from scripts.reference_pages.paths import ROOT

Definition = ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef

ROS = "reachy_agent_ros.ros"
_GENERIC = f"{ROS}.rclpy_ext"
"""Package whose functions take topics as arguments, so that calls within it give no information about a node."""


def reachable(main: str) -> Iterator[tuple[str, Definition]]:
    """Yields each definition that a node's main module uses, with the name of the module that contains it.

    Args:
        main: Module of which all definitions are used.
    """
    waiting = [(main, name) for name in _definitions(main)]
    for module, name in waiting:  # the loop body appends to this list
        definition = _definitions(module).get(name)
        if definition is None:
            continue
        yield module, definition
        waiting += [one for one in _uses(module, definition) if one not in waiting]


@cache
def _tree(module: str) -> ast.Module:
    path = ROOT.joinpath(*module.split("."))
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    return ast.parse(file.read_text(encoding="utf-8"))


@cache
def _definitions(module: str) -> dict[str, Definition]:
    return {node.name: node for node in _tree(module).body if isinstance(node, Definition)}


@cache
def imports(module: str) -> dict[str, tuple[str, str]]:
    """Returns the names that a module imports from other modules, with their source module and original name."""
    return {
        alias.asname or alias.name: (node.module, alias.name)
        for node in ast.walk(_tree(module))
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }


def _uses(module: str, definition: Definition) -> Iterator[tuple[str, str]]:
    imported = {name: source for name, source in imports(module).items() if source[0].startswith(ROS)}
    for node in ast.walk(definition):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name in imported:
                package, submodule = imported[name]
                found = (f"{package}.{submodule}", attribute)
                if ROOT.joinpath(*found[0].split(".")).with_suffix(".py").exists():
                    yield found
            case ast.Name(id=name) if name in _definitions(module):
                yield module, name
            case ast.Name(id=name) if name in imported and not imported[name][0].startswith(_GENERIC):
                yield imported[name]
            case _:
                pass
