"""Reads scenario files: YAML lists of scenarios. Error messages contain the line of an invalid entry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.paths import configuration_file
from reachy_agent_ros.storage.strict_yaml import YAML_ERRORS
from reachy_agent_ros.testing.scenario import Scenario


def scenario_folder() -> Path:
    """Returns the folder of the scenarios that are part of the package.

    Raises:
        AgentError: `INTERNAL` if the installation is incomplete.
    """
    return configuration_file("scenarios")


def load_scenarios(paths: Iterable[Path]) -> list[Scenario]:
    """Reads scenarios from files, and from all scenario files of folders.

    Args:
        paths: Files, and folders whose `*.yaml` files are read.

    Raises:
        AgentError: `INVALID_ARGUMENTS` with the file and the line of an invalid entry; also for a file that cannot be
            read, and for two scenarios with the same name.
    """
    scenarios: dict[str, Scenario] = {}
    for file in _files(paths):
        for scenario in read_scenarios(file):
            if scenario.name in scenarios:
                raise _wrong(f"{file}: duplicate scenario name {scenario.name!r}.")
            scenarios[scenario.name] = scenario
    return list(scenarios.values())


def read_scenarios(path: Path) -> list[Scenario]:
    """Reads one file.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise _wrong(f"Cannot read {path}: {error}.") from None
    return parse_scenarios(text, str(path))


def parse_scenarios(text: str, source: str) -> list[Scenario]:
    """Reads scenarios from text.

    Args:
        text: YAML.
        source: Name of the source in error messages.

    Raises:
        AgentError: `INVALID_ARGUMENTS`.
    """
    try:
        loader = yaml.SafeLoader(text)
        node = loader.get_single_node()
        if not isinstance(node, yaml.SequenceNode):
            raise _wrong(f"{source}:1: expected a list of scenarios.")
        _refuse_repeated_keys(node, source)
        content = loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise _wrong(f"{source}:{line}: invalid YAML: {error.problem}.") from None
    except YAML_ERRORS as error:
        raise _wrong(f"{source}: invalid YAML: {' '.join(str(error).split())}.") from None
    return [_scenario(entry, part, source) for entry, part in zip(content, node.value, strict=True)]


def _scenario(content: Any, node: yaml.Node, source: str) -> Scenario:
    try:
        return Scenario.model_validate(content)
    except ValidationError as error:
        detail = error.errors()[0]
        place = ".".join(str(part) for part in detail["loc"])
        message = detail["msg"].replace("Input should", "must").removeprefix("Value error, ")
        raise _wrong(f"{source}:{_line(node, detail['loc'])}: {place or 'a scenario'}: {message}.") from None


def _line(node: yaml.Node, place: Sequence[int | str]) -> int:
    """Returns the line of the YAML node at a path or, if it does not exist, the line of its nearest parent."""
    for part in place:
        child = _child(node, part)
        if child is None:
            break
        node = child
    return int(node.start_mark.line) + 1


def _child(node: yaml.Node, part: int | str) -> yaml.Node | None:
    if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
        return node.value[part]
    if isinstance(node, yaml.MappingNode):
        return next((value for key, value in node.value if key.value == part), None)
    return None


def _refuse_repeated_keys(node: yaml.Node, source: str) -> None:
    """Rejects duplicate keys. PyYAML would silently use only the last of them."""
    for mapping in _mappings(node):
        seen = set()
        for key, _ in mapping.value:
            if str(key.value) in seen:
                raise _wrong(f"{source}:{key.start_mark.line + 1}: duplicate key {key.value!r}.")
            seen.add(str(key.value))


def _mappings(node: yaml.Node) -> Iterator[yaml.MappingNode]:
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from _mappings(value)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _mappings(value)


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.glob("*.yaml")) if path.is_dir() else [path]


def _wrong(message: str) -> AgentError:
    return AgentError(ErrorCode.INVALID_ARGUMENTS, message)
