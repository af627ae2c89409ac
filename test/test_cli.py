import json
import pkgutil
import subprocess
import sys

import pytest

from reachy_agent_ros import cli, commands
from reachy_agent_ros.core.errors import AgentError, ErrorCode

NAMES = [entry.name for entry in pkgutil.iter_modules(commands.__path__)]


def test_help_lists_every_command(capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main(["--help"])
    listed = capsys.readouterr().out
    assert all(name in listed for name in NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_a_command_explains_itself(name, capsys):
    with pytest.raises(SystemExit, match="0"):
        cli.main([name, "--help"])
    assert "usage: reachy-agent" in capsys.readouterr().out


def test_help_imports_neither_ros_nor_numbers():
    program = (
        "import sys, json\nfrom reachy_agent_ros import cli\n"
        "try: cli.main(['--help'])\nexcept SystemExit: pass\n"
        "print(json.dumps([m for m in ('rclpy', 'numpy', 'mujoco') if m in sys.modules]))"
    )
    output = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout
    assert json.loads(output.splitlines()[-1]) == []


def test_an_expected_failure_is_one_sentence_and_an_exit_code(monkeypatch, capsys):
    def fail(_arguments):
        raise AgentError(ErrorCode.SERVER_UNAVAILABLE, "Nobody is there.")

    monkeypatch.setattr("reachy_agent_ros.commands.env.run", fail)
    assert cli.main(["env"]) == 3
    assert capsys.readouterr().err == "reachy-agent env: Nobody is there.\n"


def test_a_reader_that_goes_away_ends_a_command_without_a_traceback():
    program = (
        "import sys\nfrom reachy_agent_ros import cli\nfrom reachy_agent_ros.commands import env\n"
        "env.run = lambda arguments: [print(line) for line in range(100_000)]\n"
        "sys.exit(cli.main(['env']))"
    )
    command = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert command.stdout.readline() == b"0\n"
    command.stdout.close()
    with command.stderr as complaints:
        assert complaints.read() == b""
    assert command.wait() == cli.EXIT_UNREAD


def test_a_pipe_that_breaks_elsewhere_is_not_taken_for_the_readers(monkeypatch):
    def fail(_arguments):
        raise BrokenPipeError

    monkeypatch.setattr("reachy_agent_ros.commands.env.run", fail)
    with pytest.raises(BrokenPipeError):
        cli.main(["env"])


def test_without_a_graph_a_command_says_how_to_start_one(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    assert cli.main(["down"]) == 0
    assert "No graph" in capsys.readouterr().out


def test_a_setting_without_its_sign_is_refused(capsys):
    assert cli.main(["up", "robot=mujoco"]) == 2
    assert "name:=value" in capsys.readouterr().err


def test_the_environment_of_a_transport_is_printed_for_a_shell(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("REACHY_AGENT_RUNTIME", str(tmp_path))
    assert cli.main(["env"]) == 0
    printed = capsys.readouterr().out.splitlines()
    assert "export RMW_IMPLEMENTATION=rmw_fastrtps_cpp" in printed
    assert "unset ROS_LOCALHOST_ONLY" in printed
