"""Tests that setup installs every package that the code imports, with a pinned version."""

import ast
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import packages_distributions
from pathlib import Path
from xml.etree import ElementTree

import pytest

PACKAGE = "reachy_agent_ros"
ROOT = Path(__file__).resolve().parent.parent
REQUIREMENTS = ROOT / "requirements"
# Modules that colcon builds, that come with ROS 2 or a newer Python, or that are optional. Code that imports an
# optional module reports what is missing without it.
ELSEWHERE = {
    "compression",
    "hri_msgs",
    "launch",
    "launch_ros",
    "opentelemetry",
    "ray",
    "reachy_agent_msgs",
    "reachy_agent_ros",
    "tf2_msgs",
}


def normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def listed(*files: str) -> set[str]:
    lines = [line for file in files for line in (REQUIREMENTS / file).read_text(encoding="utf-8").splitlines()]
    return {normal(re.split(r"[ \[=;]", line)[0]) for line in lines if line and not line.startswith("#")}


@cache
def imported(folder: Path) -> set[str]:
    """Returns the top-level packages that the modules of a folder import."""
    return {name.split(".")[0] for path in folder.rglob("*.py") for name in modules(ast.parse(path.read_text("utf-8")))}


def modules(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module


@pytest.mark.slow
def test_requirements_contain_every_imported_package() -> None:
    required = listed("run.txt", "run-no-deps.txt", "ros.txt", "learning.txt", "foxglove.txt")
    owners = packages_distributions()
    others = imported(ROOT / PACKAGE) - set(sys.stdlib_module_names) - ELSEWHERE
    missing = {name for name in others if not {normal(owner) for owner in owners.get(name, ())} & required}
    assert missing == set()


@pytest.mark.slow
def test_package_xml_declares_every_imported_ros_package() -> None:
    declared = {element.text for element in ElementTree.parse(ROOT / "package.xml").iter() if "depend" in element.tag}
    owners = packages_distributions()
    from_ros = {name for name in imported(ROOT / PACKAGE) if f"ros-{normal(name)}" in map(normal, owners.get(name, ()))}
    assert from_ros - declared == set()


@pytest.mark.parametrize(
    "file",
    [
        *("build.txt", "ros.txt", "run.txt", "run-no-deps.txt", "test.txt", "test-no-deps.txt"),
        *("training.txt", "learning.txt", "foxglove.txt", "docs.txt"),
    ],
)
def test_every_requirement_is_pinned_in_constraints(file: str) -> None:
    assert listed(file) - listed("constraints.txt") == set()


def test_requirements_contain_no_pytest_plugin_that_reruns_failed_tests(request: pytest.FixtureRequest) -> None:
    plugins = request.config.pluginmanager
    assert not any(plugins.hasplugin(name) for name in ("rerunfailures", "flaky", "retry"))
