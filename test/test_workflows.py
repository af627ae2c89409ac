"""Tests that the GitHub Actions workflows match the scripts that they run, and the documentation."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import re
import shlex
from collections.abc import Iterator
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
import yaml

from bench.areas import areas
from bench.headless_chromium import NAMES as BROWSERS
from support import ROOT
from support.documentation import DOCS, blocks

GITHUB = ROOT / ".github"
ACTION = GITHUB / "actions" / "set-up" / "action.yml"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
AREAS = {"scripts/chaos": "chaos", "scripts/fuzz": "fuzz"}
"""Package that contains the areas of a script, by script."""
PROGRAMS = {"scripts/mutation": "test/mutation/__main__.py"}
"""Python file that parses the options of a script, by script."""


def read(path: Path) -> dict[str, Any]:
    """Reads a workflow or an action. All scalars stay strings, because YAML 1.1 reads the key `on` as true."""
    return yaml.load(path.read_text(encoding="utf-8"), yaml.BaseLoader)


JOBS = {f"{path.stem}: {name}": job for path in WORKFLOWS for name, job in read(path)["jobs"].items()}


def steps(job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yields the steps of a job, including the steps of the action in this repository."""
    for step in job["steps"]:
        yield step
        if step.get("uses", "").startswith("./"):
            yield from read(ROOT / step["uses"] / "action.yml")["runs"]["steps"]


def commands(job: dict[str, Any]) -> Iterator[list[str]]:
    """Yields each command of a job as a list of words without `sudo`.

    Commands in the matrix of the job are included.
    """
    scripts = [step["run"] for step in steps(job) if "run" in step]
    scripts += [row["command"] for row in job.get("strategy", {}).get("matrix", {}).get("include", [])]
    for line in "\n".join(scripts).replace("\\\n", " ").replace("$SEED", "7").splitlines():
        lexer = shlex.shlex(line, posix=True, punctuation_chars="|&")
        lexer.whitespace_split = True
        for operator, words in groupby(lexer, lambda word: word in ("|", "&&")):
            command = list(words)
            if not operator:
                yield command[1:] if command[0] == "sudo" else command


CALLS = [(name, words) for name, job in JOBS.items() for words in commands(job) if words[0].startswith("scripts/")]
NAMED = [f"{name}: {shlex.join(words)}" for name, words in CALLS]


@pytest.mark.parametrize(("job", "words"), CALLS, ids=NAMED)
def test_scripts_called_by_workflows_accept_their_arguments(job: str, words: list[str]) -> None:
    script, *arguments = words
    assert os.access(ROOT / script, os.X_OK)
    if script in AREAS:
        area, *options = arguments
        module = import_module(areas(AREAS[script])[area])
        parser = argparse.ArgumentParser(exit_on_error=False)
        if hasattr(module, "add_arguments"):
            module.add_arguments(parser)
        parser.parse_args(options)
    else:
        text = (ROOT / PROGRAMS.get(script, script)).read_text(encoding="utf-8")
        options = [word for word in arguments if word.startswith("--")]
        read = r'^\s*{0}\)|== {0}\b|add_argument\("{0}"'
        assert all(re.search(read.format(option), text, re.M) for option in options)


def test_nightly_workflow_runs_every_chaos_and_fuzz_area() -> None:
    run = {(words[0], words[1]) for job, words in CALLS if job.startswith("nightly: ") and words[0] in AREAS}
    assert run == {(script, area) for script, package in AREAS.items() for area in areas(package)}


def test_test_files_named_in_workflows_exist() -> None:
    text = "\n".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    named = re.findall(r"\btest/[\w./]+", text)
    assert named
    assert [name for name in named if not (ROOT / name).exists()] == []


def test_workflows_use_python_versions_that_setup_accepts() -> None:
    accepted = re.findall(r"\$version == (3\.\d+)", (ROOT / "scripts" / "stages").read_text(encoding="utf-8"))
    for name in ("quick: quick", "everything: everything"):
        assert JOBS[name]["strategy"]["matrix"]["python"] == accepted
    given = [
        step["with"]["python-version"] for job in JOBS.values() for step in steps(job) if "./" in step.get("uses", "")
    ]
    assert set(given) <= {*accepted, "${{ matrix.python }}"}


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_workflow_has_read_only_permissions_and_job_timeouts(path: Path) -> None:
    workflow = read(path)
    assert workflow["permissions"] == {"contents": "read"}
    assert "group" in workflow["concurrency"]
    assert all("permissions" not in job and int(job["timeout-minutes"]) <= 180 for job in workflow["jobs"].values())


def test_workflows_use_one_major_version_of_each_github_action() -> None:
    used = {step["uses"] for job in JOBS.values() for step in steps(job) if "uses" in step}
    versions = dict(re.fullmatch(r"(actions/[\w-]+)@(v\d+)", use).groups() for use in used if not use.startswith("./"))
    assert used == {f"{action}@{version}" for action, version in versions.items()} | {"./.github/actions/set-up"}


def test_files_hashed_for_cache_keys_exist() -> None:
    patterns = [pattern for path in (*WORKFLOWS, ACTION) for pattern in _hashed(path)]
    assert patterns
    assert [pattern for pattern in patterns if not list(ROOT.glob(pattern))] == []


def _hashed(path: Path) -> list[str]:
    calls = re.findall(r"hashFiles\(([^)]*)\)", path.read_text(encoding="utf-8"))
    return [file.removeprefix("src/reachy_agent_ros/") for call in calls for file in re.findall(r"'([^']+)'", call)]


def test_workflow_allows_bubblewrap_in_apparmor_as_documented() -> None:
    (documented,) = (block for block in blocks(DOCS / "concepts" / "sandbox.md") if "apparmor_parser" in block.text)
    run = ACTION.read_text(encoding="utf-8")
    copy, load = (line for line in documented.text.splitlines() if "bwrap-userns-restrict" in line)
    assert copy in run
    assert load in run


def test_ros_job_runs_documented_installation_commands() -> None:
    job = {_unquoted(shlex.join(words)) for words in commands(JOBS["ros: colcon"])}
    page = [block for block in blocks(DOCS / "guides" / "install.md") if "colcon" in block.text]
    documented = {_unquoted(command) for block in page for command in block.commands()}
    ours = {command for command in documented if re.match(r"rosdep|pip|python3 -m colcon|source", command)}
    assert len(ours) >= 8
    assert ours - job == set()


def _unquoted(command: str) -> str:
    return command.replace("'", "").replace('"', "").strip()


def test_setup_accepts_browsers_used_by_console_tests() -> None:
    (line,) = re.findall(r'install_if_possible chromium "([^"]+)"', (ROOT / "scripts" / "setup").read_text("utf-8"))
    assert line.split() == list(BROWSERS)


def test_renovate_updates_only_constraint_files() -> None:
    renovate = json.loads((GITHUB / "renovate.json").read_text(encoding="utf-8"))
    files = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "requirements").iterdir())]
    patterns = [pattern.strip("/") for pattern in renovate["pip_requirements"]["managerFilePatterns"]]
    read = {file for file in files for pattern in patterns if re.search(pattern.replace("\\\\", "\\"), file)}
    assert read == {"requirements/constraints.txt", "requirements/audit-constraints.txt"}
    named = {name for rule in renovate["packageRules"] for name in rule.get("matchPackageNames", ())}
    pinned = re.findall(r"^([\w.-]+)==", (ROOT / "requirements" / "constraints.txt").read_text("utf-8"), re.M)
    assert [name for name in named if not fnmatch.filter(pinned, name)] == []
