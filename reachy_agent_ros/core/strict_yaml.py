"""YAML that a person edits, read so that no mistake passes for something else."""

from __future__ import annotations

from pathlib import Path
from typing import Any, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, ValidationError

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.text_file import read_text


class StrictForm(BaseModel):
    """What has to stand in a file: nothing is converted, and nothing more may stand there."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


FormT = TypeVar("FormT", bound=StrictForm)


def read_form(path: Path, form: type[FormT], largest: int, consequence: str = "") -> FormT:
    """Reads a file.

    Args:
        path: The file.
        form: What has to stand in it.
        largest: Bytes that it may have.
        consequence: What follows from any mistake, to begin the error with: "The models are not used".

    Raises:
        AgentError: `INVALID_ARGUMENTS`, naming the file, every mistake and its place, and no value: it may be a secret.
    """
    try:
        return _read(path, form, largest)
    except AgentError as error:
        raise AgentError(error.code, f"{consequence}: {error.message}" if consequence else error.message) from None


def _read(path: Path, form: type[FormT], largest: int) -> FormT:
    text = read_text(path, largest)
    try:
        return form.model_validate(yaml.load(text, _UniqueKeys))  # noqa: S506 - a SafeLoader
    except ValidationError as error:
        complaint = "; ".join(f"{_place(mistake['loc'])}: {mistake['msg']}" for mistake in error.errors())
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 1}" if error.problem_mark else ""
        complaint = ": ".join(filter(None, (line, error.context, error.problem)))
    except RecursionError:
        complaint = "it is nested too deeply"
    except (ValueError, yaml.YAMLError) as error:  # such as a 13th month, or a letter that YAML knows not
        complaint = " ".join(str(error).split())
    raise AgentError(ErrorCode.INVALID_ARGUMENTS, f"{path}: {complaint}.")


def _place(location: tuple[int | str, ...]) -> str:
    """Where in the file, counting from 1."""
    return " ".join(str(part + 1) if isinstance(part, int) else part for part in location) or "the file"


class _UniqueKeys(yaml.SafeLoader):  # type: ignore[misc] # it has no types
    """Refuses a key that stands twice, of which plain YAML silently keeps the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        twice = [key for index, key in enumerate(keys) if key in keys[:index]]
        if twice:
            raise yaml.constructor.ConstructorError(None, None, f"{twice[0]!r} stands twice", node.start_mark)
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping
