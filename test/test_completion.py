"""Shells complete commands: bash really does it here, the others' scripts are looked at."""

import shutil
import subprocess
import sys

import pytest

from reachy_agent_ros.cli import main

ASK = """
source "$1"
shift
[[ $(complete -p reachy-agent) == *" -F "* ]] || exit 1
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
read -r function < <(complete -p reachy-agent | sed "s/.* -F \\([^ ]*\\) .*/\\1/")
"$function"
printf "%s\\n" "${COMPREPLY[@]}"
"""


@pytest.fixture(scope="module")
def script(tmp_path_factory):
    def printed(shell):
        path = tmp_path_factory.mktemp("completion") / shell
        command = [sys.executable, "-m", "reachy_agent_ros.cli", "completion", shell]
        path.write_text(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        return path

    return printed


@pytest.fixture(scope="module")
def bash(script):
    if shutil.which("bash") is None:
        pytest.skip("there is no bash")
    path = script("bash")

    def completed(*words):
        command = ["bash", "-c", ASK, "bash", str(path), *words]
        return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()

    return completed


def test_bash_completes_commands_subcommands_options_and_choices(bash):
    assert bash("reachy-agent", "per") == ["persona"]
    assert bash("reachy-agent", "grants", "re") == ["revoke"]
    assert bash("reachy-agent", "grants", "add", "--f") == ["--for"]
    assert bash("reachy-agent", "demo", "corr") == ["correction"]


def test_bash_completes_files(bash, tmp_path):
    (tmp_path / "question.wav").touch()
    assert bash("reachy-agent", "hear", str(tmp_path / "que")) == [str(tmp_path / "question.wav")]


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_other_shells_know_every_command(shell, capsys):
    assert main(["completion", shell]) == 0
    printed = capsys.readouterr().out
    for words in ("persona", "revoke", "foxglove"):
        assert words in printed
