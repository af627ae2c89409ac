"""Tests that an installation with pip or colcon contains all files and the metadata of package.xml."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
from email import message_from_string
from pathlib import Path
from xml.etree import ElementTree

import pytest

from reachy_agent_ros.bringup import NODES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "reachy_agent_ros"
PROGRAMS = ["reachy-agent", *(node.name for node in NODES)]
SOURCES = (PACKAGE, "config", "launch", "resource", "package.xml", "pyproject.toml", "setup.cfg", "setup.py")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copies the package and returns its path, because a build creates folders in the source tree."""
    copy = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


def files(folder: Path) -> set[Path]:
    return {path.relative_to(folder) for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc"}


def site_packages(prefix: Path) -> Path:
    return prefix / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"


def assert_installed(prefix: Path, scripts: Path) -> None:
    share = prefix / "share" / PACKAGE
    assert files(site_packages(prefix) / PACKAGE) == files(ROOT / PACKAGE)
    assert files(share / "launch") == files(ROOT / "launch")
    assert files(share / "config") == files(ROOT / "config")
    assert (share / "package.xml").is_file()
    assert (prefix / "share" / "ament_index" / "resource_index" / "packages" / PACKAGE).is_file()
    assert [name for name in PROGRAMS if not os.access(scripts / name, os.X_OK)] == []


@pytest.mark.slow
def test_pip_installs_all_files(source: Path, tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*pip, "--ignore-installed", "--prefix", str(tmp_path), str(source)], check=True)
    assert_installed(tmp_path, tmp_path / "bin")


@pytest.mark.nightly
def test_colcon_installs_all_files_into_ros_folders(source: Path, tmp_path: Path) -> None:
    environment = {**os.environ, "AMENT_PREFIX_PATH": sys.prefix, "COLCON_HOME": str(tmp_path)}
    folders = ["--build-base", str(tmp_path / "build"), "--install-base", str(tmp_path / "install")]
    subprocess.run(
        [sys.executable, "-m", "colcon", "--log-base", str(tmp_path / "log"), "build", "--base-paths", ".", *folders],
        cwd=source,
        env=environment,
        check=True,
    )
    prefix = tmp_path / "install" / PACKAGE
    assert_installed(prefix, prefix / "lib" / PACKAGE)


@pytest.mark.slow
def test_colcon_without_options_finds_both_packages() -> None:
    command = [sys.executable, "-m", "colcon", "list", "--names-only"]
    found = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["reachy_agent_msgs", PACKAGE]


def version_of(package_xml: Path) -> str | None:
    return ElementTree.parse(package_xml).findtext("version")


def test_python_metadata_comes_from_package_xml(source: Path, tmp_path: Path) -> None:
    for name in ("setup.py", "setup.cfg", "pyproject.toml"):
        shutil.copy(source / name, tmp_path)
    for name in ("launch", "config", PACKAGE):
        (tmp_path / name).mkdir()
    url = '<url type="repository">https://code.example.org/reachy</url>'
    described = (source / "package.xml").read_text(encoding="utf-8")
    (tmp_path / "package.xml").write_text(described.replace("<license>", f"{url}<license>"), encoding="utf-8")
    subprocess.run([sys.executable, "setup.py", "--quiet", "egg_info"], cwd=tmp_path, check=True, capture_output=True)
    metadata = message_from_string((tmp_path / f"{PACKAGE}.egg-info" / "PKG-INFO").read_text(encoding="utf-8"))
    assert metadata["Version"] == version_of(ROOT / "package.xml")
    assert metadata["Project-URL"] == "Repository, https://code.example.org/reachy"
    assert metadata["Maintainer-email"] == "maintainers@reachy-agent.org"


def test_all_files_state_same_version() -> None:
    version = version_of(ROOT / "package.xml")
    assert version_of(ROOT / "reachy_agent_msgs" / "package.xml") == version
    console = json.loads((ROOT / "console" / "package-lock.json").read_text(encoding="utf-8"))
    assert console["version"] == console["packages"][""]["version"] == version
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert re.findall(r"^## (\S+) ", changelog, re.M)[0] == version
    assert f"The version is {version}," in (ROOT / "QUALITY_DECLARATION.md").read_text(encoding="utf-8")


def test_changelog_fragments_have_known_kind() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["towncrier"]
    kinds = "|".join(kind["directory"] for kind in settings["type"])
    names = [path.name for path in (ROOT / settings["directory"]).iterdir() if path.name != "README.md"]
    assert [name for name in names if not re.fullmatch(rf"\+[\w-]+\.({kinds})\.md", name)] == []


def test_towncrier_includes_change_in_changelog(tmp_path: Path) -> None:
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copy(ROOT / "CHANGELOG.md", tmp_path)
    (tmp_path / "changelog.d").mkdir()
    (tmp_path / "changelog.d" / "+wave.added.md").write_text("The robot waves.\n", encoding="utf-8")
    command = [sys.executable, "-m", "towncrier", "build", "--version", "9.8.7", "--date", "2030-01-02", "--keep"]
    subprocess.run(command, cwd=tmp_path, check=True, capture_output=True)
    changelog = (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8")
    before = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    marker = "<!-- towncrier release notes start -->\n"
    assert changelog.split(marker)[1].startswith("\n## 9.8.7 (2030-01-02)\n\n### Added\n\n- The robot waves.\n")
    assert changelog.endswith(before.split(marker)[1])
