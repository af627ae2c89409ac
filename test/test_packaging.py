"""Installed packages contain the files of the source tree, with pip and with colcon."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from reachy_agent_ros.bringup import NODES

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = "reachy_agent_ros"
PROGRAMS = ["reachy-agent", *(node.name for node in NODES)]
SOURCES = (PACKAGE, "config", "launch", "resource", "package.xml", "pyproject.toml", "setup.cfg", "setup.py")


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy of the package, because a build creates folders in the source tree."""
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
def test_colcon_installs_all_files_into_the_folders_of_ros(source: Path, tmp_path: Path) -> None:
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
