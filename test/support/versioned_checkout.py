"""Git checkout and its remote repository.

The repository contains the set-up script and the program, both as small scripts.
"""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from reachy_agent_ros.update.journal import StoppedGraph
from support import ROOT

SETUP = """\
#!/bin/sh
set -e
echo half > .venv/version
eval "${IN_SETUP:-}"
mkdir -p .venv/bin
cp program .venv/bin/reachy-agent
cp version .venv/version
"""

PROGRAM = f"""\
#!/bin/sh
case "$1" in
  backup) eval "${{IN_BACKUP:-}}" ;;
  config) eval "${{IN_CHECK:-}}" ;;
  restore) eval "${{IN_RESTORE:-}}" ;;
  down) eval "${{IN_DOWN:-}}"; if [ -n "${{GRAPH:-}}" ]; then rm -f "$GRAPH"; exit; fi ;;
  up) eval "${{IN_UP:-}}"; if [ -n "${{GRAPH:-}}" ]; then echo "$PWD $*" > "$GRAPH"; exit; fi ;;
esac
PYTHONPATH={ROOT} exec {sys.executable} -m reachy_agent_ros.cli.cli "$@"
"""
"""Version 1 of the program.

`IN_BACKUP` and its like are shell commands that a test injects. With `GRAPH`, that file stands for the running graph.
"""

CHANGES_STATE = PROGRAM.replace(
    "PYTHONPATH", 'if [ "$1" = config ]; then echo 2 > "$REACHY_AGENT_STATE/format"; fi\nPYTHONPATH'
)


@dataclass(frozen=True)
class Repository:
    """Checkout of version 1. The remote repository already contains version 2.

    Attributes:
        root: The checkout.
        author: Another clone, which has published version 2.
        state: State directory, outside of the checkout.
    """

    root: Path
    author: Path
    state: Path

    @property
    def graph(self) -> StoppedGraph:
        """Stopped graph. To start it, the program writes a file."""
        return StoppedGraph(
            "/reachy_mini", ["robot:=none"], str(self.author), {"GRAPH": str(self.author.parent / "graph")}
        )

    @property
    def graph_runs(self) -> bool:
        """Whether the graph runs with the expected folder and arguments."""
        file = Path(self.graph.variables["GRAPH"])
        return file.exists() and file.read_text() == f"{self.author} up --detach robot:=none\n"

    @property
    def version(self) -> tuple[str, str, str]:
        """Versions of the code and the environment, and format of the state."""
        files = (self.root / "version", self.root / ".venv" / "version", self.state / "format")
        return tuple(file.read_text().strip() for file in files)  # type: ignore[return-value]

    @property
    def is_clean(self) -> bool:
        """Whether all files match the current commit."""
        return git(self.root, "status", "--porcelain") == ""

    def publish(self, files: dict[str, str], tag: str = "") -> str:
        """Publishes a commit and returns its hash."""
        for name, text in files.items():
            path = self.author / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod(0o755)
        git(self.author, "add", "--all")
        git(self.author, "commit", "-q", "-m", f"release: publish {tag or 'main'}")
        if tag:
            git(self.author, "tag", tag)
        git(self.author, "push", "-q", "--tags", "origin", "main")
        return git(self.author, "rev-parse", "HEAD")


def git(folder: Path, *arguments: str) -> str:
    """Runs git with a configured author and returns the output."""
    identity = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    done = subprocess.run(
        ["git", *arguments], cwd=folder, env={**os.environ, **identity}, check=True, capture_output=True, text=True
    )
    return done.stdout.strip()


def create_repository(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Repository:
    """Creates a checkout of v0.1.0 in a folder. No later version is published yet."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    remote, author, root, state = (folder / name for name in ("remote.git", "author", "checkout", "state"))
    git(folder, "init", "-q", "--bare", "-b", "main", str(remote))
    git(folder, "clone", "-q", str(remote), str(author))
    git(author, "checkout", "-q", "-b", "main")
    repository = Repository(root, author, state)
    files = {"scripts/setup": SETUP, "program": PROGRAM, "version": "1\n", "old_only": "1\n", ".gitignore": ".venv\n"}
    # A filter runs a command of the test in the middle of a change of the files.
    repository.publish({**files, ".gitattributes": "version filter=trap\n"}, "v0.1.0")
    git(folder, "clone", "-q", str(remote), str(root))
    git(root, "config", "filter.trap.smudge", 'eval "${IN_CODE:-}"; cat')
    (root / ".venv").mkdir()
    subprocess.run([root / "scripts" / "setup"], cwd=root, check=True)
    state.mkdir()
    (state / "format").write_text("1\n")
    (state / "persona").write_text("performer\n")
    monkeypatch.setenv("REACHY_AGENT_STATE", str(state))
    return repository


def publish_versions(repository: Repository) -> None:
    """Publishes v0.2.0 and v0.10.0.

    v0.2.0 adds files and changes the state when it runs. v0.10.0 removes a file.
    """
    new = {"version": "2\n", "a_new_file": "2\n", "z_new_file": "2\n", "program": CHANGES_STATE}
    repository.publish(new, "v0.2.0")
    (repository.author / "old_only").unlink()
    repository.publish({}, "v0.10.0")
