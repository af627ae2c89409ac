"""YAML that a person edits, read so that no mistake passes for something else."""

from __future__ import annotations

from typing import Any

import yaml


def read_yaml(text: str) -> Any:
    """The content of a YAML document.

    Raises:
        yaml.YAMLError: It is no YAML, or a key stands twice, of which plain YAML silently keeps the last.
        ValueError: A value is none, such as a 13th month.
        RecursionError: It is nested too deeply.
    """
    return yaml.load(text, _UniqueKeys)  # noqa: S506 - a SafeLoader


class _UniqueKeys(yaml.SafeLoader):  # type: ignore[misc] # it has no types
    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for index, key in enumerate(keys) if key in keys[:index]]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"{twice[0]!r} stands twice", node.start_mark)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping
