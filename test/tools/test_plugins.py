from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tools.call import CallOutcome, ToolRequest
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.plugins import GROUP, Plugins, load_plugins
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.runner import ToolRunner
from support.documented_plugin import DocumentedPlugin

TOOL = """
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.tool import ToolSpecification
from reachy_agent_ros.tools.tool import Tool
def named(name):
    return Tool(ToolSpecification(name, "Works.", ToolArguments, 1.0), lambda arguments, context: {})
"""

Install = Callable[..., None]


@pytest.fixture
def forget_modules() -> Iterator[None]:
    """Removes the modules that a test has imported, because the next test uses modules with the same names."""
    modules = set(sys.modules)
    yield
    for module in set(sys.modules) - modules:
        del sys.modules[module]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, forget_modules: None) -> Install:
    """Installs a distribution (modules and entry points) as pip does, into a folder on the module path."""
    monkeypatch.syspath_prepend(tmp_path)

    def install(name: str, code: str, **entries: str) -> None:
        module = name.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(code)
        metadata = tmp_path / f"{module}-1.0.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n")
        lines = [f"{entry} = {module}:{attribute}" for entry, attribute in entries.items()]
        (metadata / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))

    return install


def names(plugins: Plugins) -> list[str]:
    return [tool.specification.name for tool in plugins.tools]


def test_documented_plugin_works(install: Install) -> None:
    shown = DocumentedPlugin()
    assert shown.module == shown.project.replace("-", "_")
    install(shown.project, shown.code, **{shown.entry: shown.attribute})
    plugins = load_plugins(taken=())
    assert plugins.failures == ()
    (tool,) = plugins.tools
    body = RecordingBody()
    context = ToolContext(body, Deadline(5.0), lambda _progress: None)
    assert tool.handler(tool.specification.parse('{"kind": "green"}'), context) == {"minutes": 2.0}
    assert body.said == ["green tea needs 2 minutes."]
    with pytest.raises(AgentError, match="no tea 'oolong'"):
        tool.handler(tool.specification.parse('{"kind": "oolong"}'), context)


@pytest.mark.slow
@pytest.mark.usefixtures("forget_modules")
def test_package_installed_by_pip_adds_tool(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(DocumentedPlugin().pip_install(tmp_path))
    predefined = predefined_tools(tmp_path, ("joy",), ("groove",))
    plugins = load_plugins([tool.specification.name for tool in predefined])
    assert plugins.failures == ()
    catalogue = ToolCatalogue([*predefined, *plugins.tools])
    entries = {entry.tool.specification.name: entry for entry in catalogue.entries()}
    assert len(entries) == len(predefined) + 1
    assert entries["announce_tea"].enabled
    kind = entries["announce_tea"].tool.specification.schema["properties"]["kind"]
    assert kind["description"] == 'Kind of tea, "green" or "black".'

    body, outcomes = RecordingBody(), Queue[CallOutcome]()
    runner = ToolRunner(catalogue, body)
    runner.start(ToolRequest("announce_tea", '{"kind": "black"}'), outcomes.put)
    outcome = outcomes.get(timeout=5.0)
    assert outcome.error is None
    assert json.loads(outcome.result_json) == {"minutes": 4.0}
    assert body.said == ["black tea needs 4 minutes."]
    for arguments in ('{"kind": "oolong"}', '{"kind": 7}', "{}"):
        runner.start(ToolRequest("announce_tea", arguments), outcomes.put)
        outcome = outcomes.get(timeout=5.0)
        assert outcome.error is not None
        assert outcome.error.code is ErrorCode.INVALID_ARGUMENTS
    assert len(body.said) == 1
    runner.close()


def test_loader_returns_no_tools_without_plugins() -> None:
    assert load_plugins(taken=()) == Plugins()


def test_entry_point_may_provide_several_tools(install: Install) -> None:
    install("many", f"{TOOL}\ntools = [named('first_tool'), named('second_tool')]", all="tools")
    assert names(load_plugins(taken=())) == ["first_tool", "second_tool"]


@pytest.mark.parametrize(
    ("code", "complaint"),
    [
        ("import no_such_library", "no_such_library"),
        ("1 / 0", "division"),
        ("raise SystemExit('enough')", "enough"),
        ("tools = = 1", "syntax"),
        ("other = 1", "tools"),
        ("tools = 7", "int"),
        (f"{TOOL}\ntools = [named('fine_tool'), None]", "NoneType"),
        (f"{TOOL}\ntools = named('Odd Name')", "Odd Name"),
        (f"{TOOL}\ntools = named('dance')", "a tool named dance already exists"),
        (f"{TOOL}\ntools = [named('twice_there'), named('twice_there')]", "twice_there already exists"),
    ],
)
def test_failing_plugin_is_skipped_and_others_are_loaded(install: Install, code: str, complaint: str) -> None:
    install("faulty-package", code, broken="tools")
    install("good-package", f"{TOOL}\ntools = named('good_tool')", good="tools")
    plugins = load_plugins(taken=("dance",))
    assert names(plugins) == ["good_tool"]
    (failure,) = plugins.failures
    assert failure.startswith("Skipped plugin broken of faulty-package: ")
    assert complaint in failure


def test_rejects_second_plugin_with_same_tool_name(install: Install) -> None:
    for name in ("b-package", "a-package"):
        install(name, f"{TOOL}\ntools = named('good_tool')", **{name[0]: "tools"})
    plugins = load_plugins(taken=())
    assert names(plugins) == ["good_tool"]
    (failure,) = plugins.failures
    assert failure.startswith("Skipped plugin b of b-package: ")


def test_entry_points_of_other_groups_are_ignored(install: Install, tmp_path: Path) -> None:
    install("good-package", f"{TOOL}\ntools = named('good_tool')", good="tools")
    path = next(tmp_path.glob("good_package-*/entry_points.txt"))
    path.write_text(path.read_text().replace(GROUP, "other.tools"))
    assert load_plugins(taken=()) == Plugins()


def test_keyboard_interrupt_is_not_handled_as_plugin_failure(install: Install) -> None:
    install("stopping", "raise KeyboardInterrupt", stop="tools")
    with pytest.raises(KeyboardInterrupt):
        load_plugins(taken=())
