"""Tests of the messages of scripts/setup, in a checkout whose installers do nothing."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from support import ROOT

INPUTS = (
    *(f"requirements/{name}.txt" for name in ("constraints", "build", "ros", "run", "run-no-deps")),
    *("setup.py", "setup.cfg", "pyproject.toml", "package.xml", "docs/reference/openapi.json"),
    *("reachy_agent_msgs/msg/A.msg", "console/src/a.ts", "console/public/a.png", "console/index.html"),
    *(f"console/{name}.json" for name in ("package", "package-lock", "tsconfig")),
    "console/vite.config.ts",
)
PYTHON = """#!/bin/sh
if [ "$1" = -c ]; then echo 3.11; fi
"""
CMAKE = """#!/bin/sh
if [ "$1" = --build ]; then read released <released; fi
"""
"""Waits during the compilation until the test writes to a pipe."""

DONE = "==> Set-up is done. Check this machine, then start the robot: "


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Creates a checkout in which nothing is installed or compiled."""
    for name in INPUTS:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    (tmp_path / "scripts").mkdir()
    for name in ("setup", "stages", "environment"):
        shutil.copy(ROOT / "scripts" / name, tmp_path / "scripts" / name)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    installed = "#!/bin/sh\necho installed\n"
    nothing = "#!/bin/sh\n"
    contents = {"python": PYTHON, "python3.11": PYTHON, "cmake": CMAKE, "npm": nothing, "dpkg-query": installed}
    for name, content in {**contents, "bwrap": nothing, "pip": f"#!{programs / 'python'}\n"}.items():
        (programs / name).write_text(content)
        (programs / name).chmod(0o755)
    os.mkfifo(tmp_path / "released")
    return tmp_path


def setup(checkout: Path, *options: str) -> "subprocess.Popen[str]":
    path = f"{checkout / '.venv' / 'bin'}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path}
    environment.pop("PYTHON", None)
    command = [checkout / "scripts" / "setup", *options]
    return subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def test_setup_says_that_it_waits_for_messages(checkout: Path) -> None:
    with setup(checkout) as process:
        assert process.stdout is not None
        assert any(line.startswith("==> Waiting for the messages") for line in process.stdout)
        (checkout / "released").write_text("\n")
        assert process.stdout.read().startswith(DONE)
    assert process.returncode == 0


def test_setup_ends_with_next_command(checkout: Path) -> None:
    with setup(checkout) as process:
        (checkout / "released").write_text("\n")
        assert process.communicate()[0].splitlines()[-1].startswith(DONE)
    with setup(checkout) as again:
        assert again.communicate()[0] == f"{DONE}.venv/bin/reachy-agent doctor && .venv/bin/reachy-agent up\n"


def test_quiet_setup_without_changes_prints_nothing(checkout: Path) -> None:
    with setup(checkout) as process:
        (checkout / "released").write_text("\n")
        process.communicate()
    with setup(checkout, "--quiet") as again:
        assert again.communicate()[0] == ""
    assert again.returncode == 0


def test_setup_rejects_unknown_option(checkout: Path) -> None:
    with setup(checkout, "--tests") as process:
        assert process.communicate()[0] == "Unknown option --tests: expected --learning, --test or --quiet.\n"
    assert process.returncode == 1
