"""Implementations of `StoreUnderTest` for the tool registry and the token file."""

from __future__ import annotations

from pathlib import Path

from chaos.storage.words import number_in, words_of
from reachy_agent_ros.gateway.access.token_file import TokenFile
from reachy_agent_ros.gateway.roles import Role
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.registry.version import VersionRecord, VersionState
from reachy_agent_ros.tool_generation.validation.program import Program


def _program(name: str, words: str) -> Program:
    return Program(f'def {name}() -> dict:\n    """{words}"""\n    return {{}}\n', name, words, ())


class Tools:
    """Store of tools that are registered, approved by a user, and recorded as run once."""

    def __init__(self, folder: Path) -> None:
        self._registry = Registry(folder / "tools")

    def put(self, number: int) -> None:
        """Registers and approves a numbered tool, and records one run of it."""
        name = f"tool_{number}"
        version = self._registry.register(_program(name, words_of(number)), VersionRecord("person", words_of(number)))
        self._registry.approve(name, version)
        self._registry.note_run(name, version, None, 0.1)

    def records(self) -> list[tuple[int, str]]:
        """Returns the approved tools that have run once. A text that is missing in the source is returned as empty."""
        found = []
        for tool in self._registry.list():
            version = tool.version(0)
            if version.state is VersionState.APPROVED and self._registry.usage(tool.name).runs == 1:
                source = self._registry.source_to_run(tool.name, version.number)
                request = version.record.request
                found.append((number_in(request), request if request in source else ""))
        return found

    def close(self) -> None:
        """Does nothing, because the registry keeps no file open."""


class Tokens:
    """Store of access tokens."""

    def __init__(self, folder: Path) -> None:
        self._tokens = TokenFile(folder / "tokens.json")

    def put(self, number: int) -> None:
        """Creates an access token with a numbered name."""
        self._tokens.make(f"n{number}", Role.OBSERVER)

    def records(self) -> list[tuple[int, str]]:
        """Returns the stored tokens. A token contains only its number, from which the text is derived."""
        numbers = [number_in(token.name) for token in self._tokens.tokens()]
        return [(number, words_of(number)) for number in numbers]

    def close(self) -> None:
        """Does nothing, because the token file is not kept open."""
