from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tool_generation.broker.broker import Broker
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.generated_tool import CatalogueSynchroniser, Workplace
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.sandbox.opening import open_sandbox
from reachy_agent_ros.tool_generation.sandbox.sandbox import Sandbox
from reachy_agent_ros.tool_generation.validation.program import Program
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.protocol.tools import ToolAuthor
from reachy_agent_ros.tools.tool import Tool, ToolSpecification
from support.tool_generation.registered_tools import program, record


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    opened = open_sandbox(spares=0)
    yield opened
    opened.close()


class Desk:
    """Tool catalog that is synchronized with a registry changed by another process."""

    def __init__(self, folder: Path, sandbox: Sandbox) -> None:
        stop = Tool(ToolSpecification("stop", "Stops.", ToolArguments, 1.0), lambda _arguments, _context: {})
        self.catalogue = ToolCatalogue([stop])
        self.registry = Registry(folder)
        self._photos = folder
        workplace = Workplace(Registry(folder), sandbox, self._open_broker)
        self.synchroniser = CatalogueSynchroniser(self.catalogue, workplace)

    def _open_broker(self, program: Program, context: ToolContext) -> Broker:
        return Broker(context.body, context, Equipment(self._photos), program.needs)

    def listed(self) -> list[tuple[str, int, bool]]:
        assert self.synchroniser.refresh() == []
        entries = [(entry.tool.specification, entry.enabled) for entry in self.catalogue.entries()]
        return [(one.name, one.version, enabled) for one, enabled in entries if one.name != "stop"]


@pytest.fixture
def desk(tmp_path: Path, sandbox: Sandbox) -> Desk:
    return Desk(tmp_path / "tools", sandbox)


@pytest.mark.slow
def test_catalog_follows_changes_of_registry(desk: Desk) -> None:
    desk.registry.register(program(), record(needs_review=True))
    assert desk.listed() == []
    desk.registry.approve("double_it", 1)
    assert desk.listed() == [("double_it", 1, True)]
    assert desk.catalogue.find("double_it").specification.author is ToolAuthor.LANGUAGE_MODEL
    desk.registry.register(program(factor=3), record())
    assert desk.listed() == [("double_it", 2, True)]
    desk.registry.roll_back("double_it")
    assert desk.listed() == [("double_it", 1, True)]
    desk.registry.set_enabled("double_it", False)
    assert desk.listed() == [("double_it", 1, False)]
    desk.registry.set_enabled("double_it", True)
    assert desk.listed() == [("double_it", 1, True)]
    desk.registry.delete("double_it")
    assert desk.listed() == []


def test_catalog_is_unchanged_without_relevant_changes_of_registry(desk: Desk) -> None:
    desk.registry.register(program(), record())
    desk.listed()
    revision = desk.catalogue.revision
    desk.registry.note_run("double_it", 1, None, 1.0)
    desk.listed()
    desk.registry.register(program(factor=3), record(needs_review=True))
    desk.listed()
    assert desk.catalogue.revision == revision


def test_synchronizer_does_not_replace_or_remove_tools_of_other_origin(desk: Desk) -> None:
    desk.registry.register(program("stop"), record())
    (complaint,) = desk.synchroniser.refresh()
    assert "Another tool has the same name" in complaint
    desk.registry.delete("stop")
    assert desk.synchroniser.refresh() == []
    assert desk.catalogue.find("stop").specification.description == "Stops."


def test_tool_with_untrusted_source_is_removed_and_reported_once(desk: Desk, tmp_path: Path) -> None:
    desk.registry.register(program(), record())
    desk.registry.register(program("other_tool"), record())
    desk.registry.register(program(factor=3), record())
    assert desk.listed() == [("double_it", 2, True), ("other_tool", 1, True)]
    (tmp_path / "tools" / "sources" / f"{program().digest}.py").write_text("changed")
    desk.registry.roll_back("double_it")
    (complaint,) = desk.synchroniser.refresh()
    assert "changed since its verification" in complaint
    assert desk.listed() == [("other_tool", 1, True)]
    with pytest.raises(AgentError) as refusal:
        desk.catalogue.find("double_it")
    assert refusal.value.code is ErrorCode.UNKNOWN_TOOL


def test_tool_rejected_by_validator_is_not_in_catalog(desk: Desk) -> None:
    source = program().source.replace("return", "import os\n    return")
    hostile = Program(source, "double_it", "Multiplies.", program().parameters)
    desk.registry.register(hostile, record())
    (complaint,) = desk.synchroniser.refresh()
    assert "os" in complaint
    assert desk.listed() == []
