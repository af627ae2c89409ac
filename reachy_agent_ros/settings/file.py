"""Settings file `reachy_agent.yaml`, which users edit directly or with `reachy-agent config`."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.constructor import ConstructorError, RoundTripConstructor
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, ScalarNode

from reachy_agent_ros.core.contained_file import read_text
from reachy_agent_ros.core.durable_file import make_folder, write_durably
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.settings.declarations import declaration, declared, suggestion
from reachy_agent_ros.settings.nodes import NODE_PARAMETERS
from reachy_agent_ros.settings.parameter import Parameter, Value
from reachy_agent_ros.storage.file_lock import locked

FILE_NAME = "reachy_agent.yaml"
"""Name of the file in the state directory."""

LARGEST_FILE = 100_000
"""Maximum size of the file, bytes."""

_ROS = "ros__parameters"
"""Key between a node and its parameters in a parameter file of ROS."""


@dataclass(frozen=True)
class Entry:
    """Entry of a setting in the settings file.

    Attributes:
        name: Name of the setting.
        value: Valid value.
        line: Line in the file, from 1.
    """

    name: str
    value: Value
    line: int


class SettingsFile:
    """Settings file, with one line for each graph argument and one section for each node.

    ```yaml
    robot: daemon
    tts:
      volume: 0.8
    ```

    A section may also have the form of a ROS parameter file: `/reachy_mini/tts: {ros__parameters: {volume: 0.8}}`.

    Args:
        path: Path of the file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    def entries(self) -> list[Entry]:
        """Returns all settings in the file. If the file does not exist, returns none.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the file cannot be read or is too large; or, with the line, the file is not
                YAML, or names or values are invalid, each reported on a line of the message.
        """
        known, entries, mistakes = declared(), [], []
        for leaf in self._leaves(self._load()):
            try:
                entries.append(self._entry(known, *leaf))
            except AgentError as mistake:
                mistakes.append(mistake.message)
        if mistakes:
            raise AgentError(ErrorCode.INVALID_ARGUMENTS, "\n".join(mistakes))
        return entries

    def set(self, name: str, value: Value) -> None:
        """Writes a setting to the file, and preserves comments and order.

        Args:
            name: Name of the setting.
            value: Valid value.

        Raises:
            AgentError: `INVALID_ARGUMENTS`: the name is unknown, or the file or its section cannot be read;
                `STORAGE_FAILED`: the file cannot be written, or another process keeps it locked.
        """
        with self._alone():
            content = self._load()
            section, key = self._place(content, name, create=True)
            section[key] = value
            self._save(content)

    def unset(self, name: str) -> bool:
        """Removes a setting from the file.

        Args:
            name: Name of the setting.

        Returns:
            Whether the file had the setting.

        Raises:
            AgentError: As for `set`.
        """
        with self._alone():
            content = self._load()
            section, key = self._place(content, name, create=False)
            if key not in section:
                return False
            del section[key]
            self._save(content)
            return True

    def _load(self) -> CommentedMap:
        if not self.path.exists():
            return CommentedMap()
        try:
            content = _yaml().load(read_text(self.path, LARGEST_FILE))
        except MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise self._refusal(line, f"{error.problem or error.context}") from None
        except (YAMLError, ValueError, RecursionError) as error:
            raise self._refusal(1, " ".join(str(error).split()) or "the nesting is too deep") from None
        if content is None:
            return CommentedMap()
        if not isinstance(content, CommentedMap):
            raise self._refusal(1, "expected lines of the form NAME: VALUE")
        return content

    def _leaves(self, content: CommentedMap) -> Iterator[tuple[str, object, int]]:
        """Yields the name, value and line number of each setting."""
        for key, value in content.items():
            node = str(key).rpartition("/")[2]
            if node not in NODE_PARAMETERS:
                yield str(key), value, _line(content, key)
                continue
            section = value.get(_ROS, value) if isinstance(value, CommentedMap) else value
            if section is None:  # a section without lines
                continue
            if not isinstance(section, CommentedMap):
                raise self._refusal(_line(content, key), f"expected the parameters of {node} below it")
            for parameter, given in section.items():
                yield f"{node}.{parameter}", given, _line(section, parameter)

    def _entry(self, known: Mapping[str, Parameter], name: str, value: object, line: int) -> Entry:
        if name not in known:
            raise self._refusal(line, f"unknown setting {name!r:.60}.{suggestion(name, known)}")
        try:
            return Entry(name, known[name].check(value), line)
        except AgentError as error:
            raise self._refusal(line, error.message) from None

    def _place(self, content: CommentedMap, name: str, create: bool) -> tuple[CommentedMap, str]:
        """Returns the section of the file that contains a setting, and the key of the setting in this section."""
        node, _, key = declaration(name).name.rpartition(".")
        if not node:
            return content, key
        written = next((one for one in content if str(one).rpartition("/")[2] == node), node)
        section = self._section(content, written, node, create)
        return self._section(section, _ROS, node, create) if _ROS in section else section, key

    def _section(self, parent: CommentedMap, written: str, node: str, create: bool) -> CommentedMap:
        """Returns a section, which is empty if it is missing or has no lines. With `create`, adds it to its parent."""
        section = parent.get(written)
        if section is None:
            section = CommentedMap()
            if create:
                parent[written] = section
        if not isinstance(section, CommentedMap):
            raise self._refusal(_line(parent, written), f"expected the parameters of {node} below it")
        return section

    def _save(self, content: CommentedMap) -> None:
        text = io.StringIO()
        _yaml().dump(content, text)
        try:
            write_durably(self.path.resolve(), text.getvalue() if content else "")
        except OSError as error:
            raise self._unwritable(error) from error

    def _alone(self) -> AbstractContextManager[None]:
        try:
            make_folder(self.path.parent)
        except OSError as error:
            raise self._unwritable(error) from error
        return locked(self.path.with_name(f".{self.path.name}.lock"))

    def _unwritable(self, error: OSError) -> AgentError:
        return AgentError(ErrorCode.STORAGE_FAILED, f"Cannot write {self.path}: {error.strerror}.")

    def _refusal(self, line: int, problem: str) -> AgentError:
        end = "" if problem.endswith((".", "?")) else "."
        return AgentError(ErrorCode.INVALID_ARGUMENTS, f"{self.path}, line {line}: {problem}{end}")


class _Constructor(RoundTripConstructor):
    """Names both lines of a key that a section contains twice, without its values."""

    def check_mapping_key(
        self, node: MappingNode, key_node: ScalarNode, mapping: CommentedMap, key: object, value: object
    ) -> bool:
        if key in mapping:
            first = next(one for one, _ in node.value if one.value == key_node.value)
            problem = f"{key!r:.60} is set twice, first in line {first.start_mark.line + 1}: delete one of them"
            raise ConstructorError(None, None, problem, key_node.start_mark)
        return True


def _yaml() -> YAML:
    parser = YAML()  # keeps comments, order and quotes
    parser.Constructor = _Constructor
    parser.preserve_quotes = True
    parser.width = LARGEST_FILE  # long texts stay on one line
    return parser


def _line(section: CommentedMap, key: object) -> int:
    return int(section.lc.key(key)[0]) + 1
