import argparse
import importlib
import json
import pkgutil
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import version

import pytest

from reachy_agent_ros.cli import cli, commands
from reachy_agent_ros.cli.parser import subcommands
from reachy_agent_ros.core.errors import AgentError, ErrorCode

NAMES = [entry.name for entry in pkgutil.iter_modules(commands.__path__)]
EXAMPLES = [(name, one) for name in NAMES for one in importlib.import_module(f"{commands.__name__}.{name}").EXAMPLES]
PARSER = cli.command_parser()
SPEAKING_OTHERWISE = {"chat": "a conversation", "completion": "a shell's script", "mcp": "the protocol"}
"""Commands without JSON output, with their formats."""


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    listed = capsys.readouterr().out
    assert all(name in listed for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_command_help_describes_command(name, capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])
    told = capsys.readouterr().out
    assert "usage: reachy-agent" in told
    listed = told.partition("\nexamples:\n")[2].partition("\n\n")[0].splitlines()
    assert [line.strip() for line in listed] == [example for owner, example in EXAMPLES if owner == name]
    assert 1 <= len(listed) <= 3


@pytest.mark.parametrize(("name", "example"), EXAMPLES)
def test_example_in_help_is_valid_command(name, example):
    words = shlex.split(re.search(r"reachy-agent ([^|)>]*)", example)[1])
    assert PARSER.parse_args(words).command == name


@pytest.mark.parametrize("name", [name for name in NAMES if subcommands(subcommands(PARSER)[name])])
def test_every_subcommand_has_a_valid_example(name):
    for parser in subcommands(subcommands(PARSER)[name]).values():
        _, example = parser.epilog.splitlines()
        assert callable(PARSER.parse_args(shlex.split(example)[1:]).subcommand)


@pytest.mark.parametrize("name", [name for name in NAMES if "list" in subcommands(subcommands(PARSER)[name])])
def test_command_without_subcommand_lists_entries(name):
    assert vars(PARSER.parse_args([name])) | {"what": "list"} == vars(PARSER.parse_args([name, "list"]))


def every_parser(parser: argparse.ArgumentParser) -> Iterator[argparse.ArgumentParser]:
    yield parser
    for one in subcommands(parser).values():
        yield from every_parser(one)


def test_every_duration_option_accepts_unit():
    durations = [
        action
        for parser in every_parser(PARSER)
        for action in parser._actions
        if {"--for", "--timeout", "--wait", "--window", "--limit"} & set(action.option_strings)
        and action.metavar != "N"  # a number of results
    ]
    assert len(durations) > 8
    assert {action.type("30s") for action in durations} == {30.0}


def test_every_command_names_model_server_option_endpoint():
    options = {
        option
        for parser in every_parser(PARSER)
        for action in parser._actions
        if action.help != argparse.SUPPRESS
        for option in action.option_strings
    }
    assert {option for option in options if "endpoint" in option} == {"--endpoint"}


def test_prints_version_of_package(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--version"])
    assert capsys.readouterr().out == f"reachy-agent {version('reachy_agent_ros')}\n"


@pytest.mark.parametrize("name", [name for name in NAMES if name not in SPEAKING_OTHERWISE])
def test_every_command_can_print_json(name):
    command = subcommands(PARSER)[name]
    inner = {name: one for name, one in subcommands(command).items() if name != "export"}  # export writes files
    for parser in inner.values() or [command]:
        assert "--json" in parser._option_string_actions, parser.prog


def test_help_does_not_import_slow_libraries():
    program = (
        "import sys, json\nfrom reachy_agent_ros.cli import cli\n"
        "try: cli.main(['--help'])\nexcept SystemExit: pass\n"
        "print(json.dumps([m for m in ('rclpy', 'numpy', 'mujoco', 'rich', 'shtab') if m in sys.modules]))"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert json.loads(output.splitlines()[-1]) == []


def test_help_of_tokens_does_not_import_web_framework():
    program = (
        "import sys\nfrom reachy_agent_ros.cli import cli\n"
        "try: cli.main(['tokens', 'make', '--help'])\nexcept SystemExit: pass\n"
        "print([m for m in ('starlette', 'fastapi', 'asyncio') if m in sys.modules])"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[-1] == "[]"


def test_command_does_not_import_other_commands():
    program = (
        "import sys\nfrom reachy_agent_ros.cli import cli\ncli.main(['env'])\n"
        "print(*[name for name in sys.modules if name.startswith('reachy_agent_ros.cli.commands.')])"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert output.splitlines()[-1] == "reachy_agent_ros.cli.commands.env"


def test_expected_error_prints_one_sentence_and_sets_exit_code(monkeypatch, capsys):
    def fail(_arguments):
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "Nobody is there.")

    monkeypatch.setattr("reachy_agent_ros.cli.commands.env.run", fail)
    assert cli.main(["env"]) == 3
    assert capsys.readouterr().err == "reachy-agent env: Nobody is there.\n"


def test_closed_output_pipe_ends_command_without_traceback():
    program = (
        "import sys\nfrom reachy_agent_ros.cli import cli\nfrom reachy_agent_ros.cli.commands import env\n"
        "env.run = lambda arguments: [print(line) for line in range(100_000)]\n"
        "sys.exit(cli.main(['env']))"
    )
    command = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout.readline() == b"0\n"
    command.stdout.close()
    with command.stderr as complaints:
        assert complaints.read() == b""
    assert command.wait() == cli.EXIT_UNREAD


def test_broken_pipe_of_command_is_raised(monkeypatch):
    def fail(_arguments):
        raise BrokenPipeError

    monkeypatch.setattr("reachy_agent_ros.cli.commands.env.run", fail)
    with pytest.raises(BrokenPipeError):
        cli.main(["env"])


def test_command_without_graph_prints_how_to_start_one(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    assert cli.main(["down"]) == 0
    assert "No graph" in capsys.readouterr().out


def test_rejects_graph_argument_without_assignment(capsys):
    assert cli.main(["up", "robot=mujoco"]) == 2
    assert "name:=value" in capsys.readouterr().err


def test_env_prints_environment_for_shell(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    assert cli.main(["env"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "export RMW_IMPLEMENTATION=rmw_fastrtps_cpp" in printed
    assert "unset ROS_LOCALHOST_ONLY" in printed
