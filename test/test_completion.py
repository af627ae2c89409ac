"""Tests of the shell completion of `reachy-agent`, in all shells that this computer has."""

import os
import pty
import shutil
import subprocess
import sys

import pytest

from reachy_agent_ros.cli.cli import main

ASK = """
source "$1"
shift
[[ $(complete -p reachy-agent) == *" -F "* ]] || exit 1
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
read -r function < <(complete -p reachy-agent | sed "s/.* -F \\([^ ]*\\) .*/\\1/")
"$function"
printf "%s\\n" "${COMPREPLY[@]}"
"""

TAB = "tell() { zle complete-word; print -r be''gin:${BUFFER}:e''nd; }; zle -N tell; bindkey '^I' tell"


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    def printed(shell):
        path = tmp_path_factory.mktemp("completion") / shell
        command = [sys.executable, "-m", "reachy_agent_ros.cli.cli", "completion", shell]
        path.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        return path

    return printed


@pytest.fixture(scope="module")
def bash(script):
    if shutil.which("bash") is None:
        pytest.skip("bash is not installed")
    path = script("bash")

    def completed(*words):
        command = ["bash", "-c", ASK, "bash", str(path), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    return completed


@pytest.mark.slow
def test_bash_completes_commands_and_options_and_choices(bash):
    assert bash("reachy-agent", "per") == ["persona"]
    assert bash("reachy-agent", "grants", "re") == ["revoke"]
    assert bash("reachy-agent", "grants", "add", "--f") == ["--for"]
    assert bash("reachy-agent", "demo", "corr") == ["correction"]


def test_bash_completes_files(bash, tmp_path):
    (tmp_path / "question.wav").touch()
    assert bash("reachy-agent", "hear", str(tmp_path / "que")) == [str(tmp_path / "question.wav")]


@pytest.fixture(scope="module")
def fish(script):
    if shutil.which("fish") is None:
        pytest.skip("fish is not installed")
    path = script("fish")

    def completed(words):
        command = ["fish", "--no-config", "-c", f"source {path}; complete -C '{words}'"]
        told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        return [line.partition("\t")[0] for line in told.splitlines()]

    return completed


def test_fish_completes_commands_and_options_and_choices(fish):
    assert fish("reachy-agent per") == ["persona"]
    assert fish("reachy-agent grants re") == ["revoke"]
    assert fish("reachy-agent grants add --f") == ["--for"]
    assert fish("reachy-agent demo corr") == ["correction"]


@pytest.fixture(scope="module")
def zsh(script):
    if shutil.which("zsh") is None:
        pytest.skip("zsh is not installed")
    path = script("zsh")

    def completed(words):
        """Types words in zsh and presses Tab. Returns the completed line.

        The zsh widget `tell` prints the line.
        """
        child, terminal = pty.fork()
        if child == 0:
            os.execvpe("zsh", ["zsh", "-f"], {**os.environ, "TERM": "dumb", "HISTFILE": "/dev/null"})
        told = b""
        try:
            begin = f'{TAB}; autoload -Uz compinit; compinit -u -D; eval "$(<{path})"'
            os.write(terminal, f"{begin}\n{words}\t".encode())
            while b":end" not in told:
                told += os.read(terminal, 1024)
        finally:
            os.close(terminal)
            os.waitpid(child, 0)
        return told.decode().rpartition("begin:")[2].partition(":end")[0].strip()

    return completed


@pytest.mark.parametrize(
    ("begun", "completed"),
    [
        ("reachy-agent pers", "reachy-agent persona"),
        ("reachy-agent grants rev", "reachy-agent grants revoke"),
        ("reachy-agent grants add --fo", "reachy-agent grants add --for"),
        ("reachy-agent ask hello --sil", "reachy-agent ask hello --silent"),
        ("reachy-agent demo corr", "reachy-agent demo correction"),
    ],
)
def test_zsh_completes_commands_and_options_and_choices(zsh, begun, completed):
    assert zsh(begun) == completed


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_completion_script_contains_commands_and_subcommands(shell, capsys):
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    for words in ("persona", "revoke", "foxglove"):
        assert words in printed
