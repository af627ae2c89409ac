from __future__ import annotations

import re
import sys
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.tools.context import ToolContext
from reachy_agent_ros.tools.plugins import GROUP, Plugins, load_plugins
from support.robot.still_body import StillBody

DOCUMENT = Path(__file__).resolve().parents[2] / "docs" / "plugins.md"

TOOL = """
from reachy_agent_ros.core.arguments import ToolArguments
from reachy_agent_ros.tools.tool import ToolSpecification
from reachy_agent_ros.tools.tool import Tool
def named(name):
    return Tool(ToolSpecification(name, "Works.", ToolArguments, 1.0), lambda arguments, context: {})
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Puts a distribution into a folder on the path, as pip would: its modules, and the names of its entry points."""
    monkeypatch.syspath_prepend(tmp_path)
    modules = set(sys.modules)

    def install(name: str, code: str, **entries: str) -> None:
        module = name.replace("-", "_")
        (tmp_path / f"{module}.py").write_text(code)
        metadata = tmp_path / f"{module}-1.0.0.dist-info"
        metadata.mkdir()
        (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0.0\n")
        lines = [f"{entry} = {module}:{attribute}" for entry, attribute in entries.items()]
        (metadata / "entry_points.txt").write_text("\n".join([f"[{GROUP}]", *lines]))

    yield install
    for module in set(sys.modules) - modules:
        del sys.modules[module]


def names(plugins: Plugins) -> list[str]:
    return [tool.specification.name for tool in plugins.tools]


def test_the_document_shows_a_plugin_that_works(install: Install) -> None:
    toml, code = re.findall(r"^`[\w.]+`:\n\n```\w+\n(.*?)```", DOCUMENT.read_text(), re.MULTILINE | re.DOTALL)
    project = tomllib.loads(toml)["project"]
    ((entry, value),) = project["entry-points"][GROUP].items()
    module, attribute = value.split(":")
    assert module == project["name"].replace("-", "_")
    install(project["name"], code, **{entry: attribute})
    plugins = load_plugins(taken=())
    assert plugins.failures == ()
    (tool,) = plugins.tools
    body = StillBody()
    context = ToolContext(body, Deadline(5.0), lambda _progress: None)
    assert tool.handler(tool.specification.parse('{"kind": "green"}'), context) == {"minutes": 2.0}
    assert body.said == ["green tea needs 2 minutes."]
    with pytest.raises(AgentError, match="no tea 'oolong'"):
        tool.handler(tool.specification.parse('{"kind": "oolong"}'), context)


def test_without_plugins_there_is_nothing() -> None:
    assert load_plugins(taken=()) == Plugins()


def test_one_entry_point_may_give_several_tools(install: Install) -> None:
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
        (f"{TOOL}\ntools = named('dance')", "a tool dance already"),
        (f"{TOOL}\ntools = [named('twice_there'), named('twice_there')]", "twice_there already"),
    ],
)
def test_a_plugin_that_fails_is_told_and_the_others_go_on(install: Install, code: str, complaint: str) -> None:
    install("faulty-package", code, broken="tools")
    install("good-package", f"{TOOL}\ntools = named('good_tool')", good="tools")
    plugins = load_plugins(taken=("dance",))
    assert names(plugins) == ["good_tool"]
    (failure,) = plugins.failures
    assert failure.plugin == "broken of faulty-package"
    assert failure.plugin in failure.message
    assert complaint in failure.message


def test_of_two_plugins_with_one_name_the_second_is_refused(install: Install) -> None:
    for name in ("b-package", "a-package"):
        install(name, f"{TOOL}\ntools = named('good_tool')", **{name[0]: "tools"})
    plugins = load_plugins(taken=())
    assert names(plugins) == ["good_tool"]
    assert [failure.plugin for failure in plugins.failures] == ["b of b-package"]


def test_entry_points_of_other_groups_are_none_of_ours(install: Install, tmp_path: Path) -> None:
    install("good-package", f"{TOOL}\ntools = named('good_tool')", good="tools")
    path = next(tmp_path.glob("good_package-*/entry_points.txt"))
    path.write_text(path.read_text().replace(GROUP, "other.tools"))
    assert load_plugins(taken=()) == Plugins()


def test_what_interrupts_the_program_is_not_taken_for_a_failure(install: Install) -> None:
    install("stopping", "raise KeyboardInterrupt", stop="tools")
    with pytest.raises(KeyboardInterrupt):
        load_plugins(taken=())
