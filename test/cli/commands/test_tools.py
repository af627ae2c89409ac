from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.cli.cli import main
from reachy_agent_ros.cli.commands import grants, tools
from reachy_agent_ros.cli.commands.tools import ProgressPrinter
from reachy_agent_ros.cli.commands.tools.describe import description, permissions
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription
from support.agent.permission_cases import MOVE_HEAD
from support.command_line import run_command
from support.domains import Purpose
from support.nodes.running_agent import agent_process, agent_runs
from support.tool_generation.denied_boxes import NO_LANDLOCK, NO_NAMESPACES
from support.tool_generation.registered_tools import program
from support.waiting import wait_until

NODDING = '''
from reachy_agent import gesture


def nod_once() -> dict:
    """Nods.

    Returns:
        done: whether it did.
    """
    gesture("nod")
    return {"done": True}
'''
TOO_FAR = '''
from reachy_mini import ReachyMini


def turn_far() -> dict:
    """Turns.

    Returns:
        done: whether it did.
    """
    try:
        with ReachyMini() as robot:
            robot.goto_target(body_yaw=3.1, duration=1.0)
    except ValueError:
        pass
    return {"done": True}
'''
CASES = '[{"args": {"number": 2}, "expect": {"product": 4}}]'


def run(*words: str, command: Any = tools) -> int:
    return run_command(command, *words)


def test_status_of_running_call_is_printed_once(capsys: pytest.CaptureFixture[str]) -> None:
    printer = ProgressPrinter()
    for status in ("", "saying: Hello.", "saying: Hello.", "", "saying: Bye."):
        printer.show(status)
    assert capsys.readouterr().err == "saying: Hello.\nsaying: Bye.\n"


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, str | bytes], str]:
    """Writes the source of a tool to a file and returns its path."""

    def write(name: str, content: str | bytes) -> str:
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return str(path)

    return write


def lines(capfd: pytest.CaptureFixture[str]) -> list[Any]:
    return [json.loads(line) for line in capfd.readouterr().out.splitlines()]


def checked(capfd: pytest.CaptureFixture[str], *words: str) -> list[Any]:
    """Runs `reachy-agent tools check --json` and returns its output."""
    capfd.readouterr()
    with needs_sandbox():
        assert run("check", *words, "--json") == 0
    return lines(capfd)


@contextmanager
def needs_sandbox() -> Iterator[None]:
    """Skips the test if this machine has no working sandbox."""
    try:
        yield
    except AgentError as error:
        if error.code is ErrorCode.SANDBOX_UNAVAILABLE:
            pytest.skip(error.message)
        raise


def stages(line: Any) -> dict[str, bool]:
    return {one["name"]: one["ok"] for one in line["stages"]}


def test_tools_check_prints_one_line_per_file_and_stores_nothing(
    written: Callable[..., str], capfd: pytest.CaptureFixture[str]
) -> None:
    sources = [program().source, "import os\n", b"\xff\xfe", b"(" * 1_000_000, NODDING, TOO_FAR, program("stop").source]
    files = [written(f"tool_{number}.py", source) for number, source in enumerate(sources)]
    found = checked(capfd, *files)
    good, importing, garbled, deep, nodding, far, taken = found
    assert [line["file"] for line in found] == files
    assert {frozenset(line) for line in found} == {
        frozenset(("file", "accepted", "stages", "cases", "robot_commands", "violations"))
    }
    assert [line["accepted"] for line in found] == [True, False, False, False, True, False, False]
    assert stages(good) == dict.fromkeys(("text", "syntax", "sandbox", "trial"), True)
    assert (good["robot_commands"], good["violations"]) == (0, [])
    assert stages(importing) == {"text": True, "syntax": False}
    assert importing["stages"][-1]["reason"].startswith("line 1: ")
    assert stages(garbled) == stages(deep) == {"text": False}
    assert nodding["robot_commands"] == 1
    assert stages(far) == {"text": True, "syntax": True, "sandbox": True, "trial": False}
    assert "body_yaw" in far["violations"][0]
    assert "stop" in taken["stages"][-1]["reason"]


def test_tools_check_reports_every_test_case(written: Callable[..., str], capfd: pytest.CaptureFixture[str]) -> None:
    cases = written("cases.json", f'{CASES[:-1]}, {{"args": {{"number": 2}}, "expect": {{"product": 5}}}}]')
    (line,) = checked(capfd, written("tool.py", program().source), "--cases", cases)
    assert not line["accepted"]
    assert line["cases"][0] == {"ok": True, "result": {"product": 4}, "error": ""}
    assert "expected 5, got 4" in line["cases"][1]["error"]


def test_tools_check_rejects_tool_of_other_name(written: Callable[..., str], capfd: pytest.CaptureFixture[str]) -> None:
    file = written("tool.py", program().source)
    (line,) = checked(capfd, file, "--name", "halve_it")
    assert not line["accepted"]
    assert "double_it, not halve_it" in line["stages"][-1]["reason"]


def test_tools_check_prints_readable_text(written: Callable[..., str], capfd: pytest.CaptureFixture[str]) -> None:
    rude = program().source.replace("return", 'raise ValueError("\\x1b[2J\\nno")\n    return')
    files = [
        written("good.py", program().source),
        written("bad.py", "import os\nimport sys\n"),
        written("rude.py", rude),
    ]
    cases = written("cases.json", CASES)
    with suppress(AgentError):
        run("check", *files, "--cases", cases)
    told = capfd.readouterr().out
    assert f"{files[0]}: accepted\n  text     passed" in told
    assert f"{files[1]}: rejected\n" in told
    assert "  syntax   FAILED  line 1: " in told
    assert f"\n{' ' * 19}line 2: " in told
    assert "\x1b" not in told


@pytest.mark.parametrize(
    ("cases", "complaint"), [("{}", "JSON list"), ("[", "not valid JSON"), (b"\xff", "UTF-8"), ("[1]", "Case 1")]
)
def test_tools_check_rejects_invalid_test_cases(
    written: Callable[..., str], cases: str | bytes, complaint: str
) -> None:
    with pytest.raises(AgentError, match=complaint) as caught:
        run("check", written("tool.py", program().source), "--cases", written("cases.json", cases))
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS


@pytest.mark.parametrize("file", ["nowhere.py", "."])
def test_tools_check_fails_for_unreadable_file(file: str, capfd: pytest.CaptureFixture[str]) -> None:
    with needs_sandbox():
        assert run("check", file, "--json") == 1
    (line,) = lines(capfd)
    assert (line["file"], line["accepted"]) == (file, False)
    assert f"Cannot read {file}" in line["error"]


def test_tools_check_fails_for_rejected_tool_unless_output_is_json(written: Callable[..., str]) -> None:
    file = written("bad.py", "import os\n")
    with needs_sandbox():
        assert run("check", file) == 1
        assert run("check", file, "--json") == 0


@pytest.mark.parametrize(
    ("content", "problem"), [(None, "No such file or directory"), ("[1]", "Case 1"), ("[", "not valid JSON")]
)
def test_tools_check_prints_json_error_for_invalid_case_file(
    written: Callable[..., str], tmp_path: Path, capfd: pytest.CaptureFixture[str], content: str | None, problem: str
) -> None:
    cases = str(tmp_path / "nowhere.json") if content is None else written("cases.json", content)
    assert main(["tools", "check", "/dev/null", "--json", "--cases", cases]) == 1
    (line,) = lines(capfd)
    assert line["file"] == cases
    assert problem in line["error"]


def test_tools_check_without_sandbox_runs_nothing_and_explains_setup(
    written: Callable[..., str], tmp_path: Path
) -> None:
    script = f"{NO_NAMESPACES}{NO_LANDLOCK}\nimport sys\nfrom reachy_agent_ros.cli.cli import main\nsys.exit(main())\n"
    command = [sys.executable, "-c", script, "tools", "check", written("tool.py", program().source), "--json"]
    environment = {**os.environ, "PATH": "/nowhere", "REACHY_AGENT_CACHE": str(tmp_path)}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True)
    assert ended.returncode == 1
    assert ended.stdout == ""
    assert "apt install bubblewrap" in ended.stderr


@pytest.fixture(scope="module")
def _environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    with agent_process(tmp_path_factory.mktemp("graph"), "tool_server", purpose=Purpose.NODES) as environment:
        yield environment


@pytest.fixture
def graph(_environment: dict[str, str], monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """Starts an agent and a tool server with a working sandbox."""
    for name, value in _environment.items():
        monkeypatch.setenv(name, value)
    wait_until(agent_runs, "the agent")

    def proven() -> bool:
        try:
            run("import", __file__)
        except AgentError as error:
            return error.code is ErrorCode.VALIDATION_FAILED
        return False

    wait_until(proven, "a sandbox")
    capfd.readouterr()


@pytest.mark.usefixtures("graph")
def test_imports_reviews_runs_and_exports_tool(
    written: Callable[..., str], capfd: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    cases = written("cases.json", CASES)
    assert run("import", written("tool.py", program().source), "--cases", cases) == 0
    printed = capfd.readouterr()
    hint = "reachy-agent tools show double_it, then"
    assert printed.out.startswith(f"Version 1 of double_it is waiting for review: {hint}")
    assert "  sandbox  passed  1 of 1 cases passed." in printed.err
    assert run() == 0
    assert "double_it is waiting for review" in capfd.readouterr().out
    assert run("approve", "double_it", "--comment", "Good.") == 0
    assert capfd.readouterr().out == "Version 1 of double_it is active.\n"
    assert run("list") == 0
    rows = [line.split()[:5] for line in capfd.readouterr().out.splitlines()]
    assert ["double_it", "generated", "imported", "1", "enabled"] in rows
    with pytest.raises(AgentError, match="No version of double_it is waiting"):
        run("approve", "double_it")
    run("add", "double_it", command=grants)
    capfd.readouterr()
    assert run("run", "double_it", '{"number": 4}', "--json") == 0
    assert lines(capfd) == [{"name": "double_it", "result": {"product": 8.0}}]
    with pytest.raises(AgentError, match="number"):
        run("run", "double_it", "{}")
    run("import", written("better.py", program(factor=3).source))
    run("approve", "double_it")
    capfd.readouterr()
    assert run("show", "double_it") == 0
    told = capfd.readouterr().out
    assert "version 1 approved, imported" in told
    assert "1 of 1 runs succeeded" in told
    assert "version 2 active, imported" in told
    assert told.endswith(program(factor=3).source)
    assert run("diff", "double_it", "1") == 0
    assert '+    return {"product": number * 3}' in capfd.readouterr().out
    assert run("rollback", "double_it") == 0
    assert capfd.readouterr().out == "Version 1 of double_it is active.\n"
    out = tmp_path / "given.json"
    assert run("export", "double_it", "--out", str(out)) == 0
    assert json.loads(out.read_text())["source"] == program().source
    assert run("disable", "double_it") == 0
    assert run("show", "double_it", "--json") == 0
    words, shown = capfd.readouterr().out.splitlines()
    assert words == "double_it is disabled."
    assert not json.loads(shown)["enabled"]
    assert run("delete", "double_it") == 0
    with pytest.raises(AgentError, match="There is no tool 'double_it'"):
        run("show", "double_it")
    capfd.readouterr()
    assert run("import", str(out), "--json") == 0
    assert lines(capfd) == [{"name": "double_it", "version": 3, "registered": False}]
    assert run("reject", "double_it", "--json") == 0
    assert lines(capfd) == [{"name": "double_it", "result": "Version 3 of double_it is rejected."}]


@pytest.mark.usefixtures("graph")
def test_call_of_waiting_tool_names_command_that_shows_it(
    written: Callable[..., str], capfd: pytest.CaptureFixture[str]
) -> None:
    run("import", written("waiting.py", program("waiting_tool").source))
    with pytest.raises(AgentError, match="is waiting for review: reachy-agent tools show waiting_tool") as caught:
        run("run", "waiting_tool", '{"number": 4}')
    assert caught.value.code is ErrorCode.APPROVAL_REQUIRED
    capfd.readouterr()
    run("show", "waiting_tool")
    assert capfd.readouterr().out.startswith("waiting_tool, not in use: it waits for review\nversion 1 waiting")
    run("reject", "waiting_tool")
    capfd.readouterr()
    run("show", "waiting_tool")
    assert capfd.readouterr().out.startswith("waiting_tool, not in use: no version is approved\nversion 1 rejected")


@pytest.mark.usefixtures("graph")
def test_rejected_tool_import_prints_reason(written: Callable[..., str], capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(AgentError, match="syntax") as caught:
        run("import", written("bad.py", "import os\n"))
    assert caught.value.code is ErrorCode.VALIDATION_FAILED
    assert "FAILED  line 1: " in capfd.readouterr().err
    for words in (["approve", "nobody"], ["show", "nobody"], ["delete", "nobody"], ["export", "nobody"]):
        with pytest.raises(AgentError) as caught:
            run(*words)
        assert caught.value.code is ErrorCode.UNKNOWN_TOOL
    with pytest.raises(AgentError, match="is built in"):
        run("delete", "take_photo")
    run("import", written("tool_again.py", program("other_tool").source))
    with pytest.raises(AgentError, match="Cannot write"):
        run("export", "other_tool", "--out", "/nowhere/file.json")


@pytest.mark.usefixtures("graph")
def test_tools_list_prints_every_tool_as_json(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("list", "--json") == 0
    found = {line["name"]: line for line in lines(capfd)}
    assert found["move_head"]["origin"] == "predefined"
    assert found["move_head"]["moves_robot"]
    assert found["move_head"]["arguments_schema"]["type"] == "object"
    assert run("list") == 0
    rows = [line.split()[:3] for line in capfd.readouterr().out.splitlines()]
    assert ["move_head", "predefined", "enabled"] in rows


@pytest.mark.usefixtures("graph")
def test_tools_show_describes_predefined_tool(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("show", "dance") == 0
    told = capfd.readouterr().out
    assert told.startswith("dance: ")
    assert "  repetitions: integer from 1 to 5, default 1. " in told
    assert "The tool is predefined, enabled, and moves the robot.\nA call needs no approval.\n" in told
    assert run("show", "dance", "--json") == 0
    (line,) = lines(capfd)
    assert line["permissions"] == ["A call needs no approval."]
    assert line["arguments_schema"]["required"] == ["dance"]


@pytest.mark.usefixtures("graph")
def test_tools_show_suggests_tool_for_misspelled_name() -> None:
    with pytest.raises(AgentError, match=r"There is no tool 'danse'\. Did you mean dance\?"):
        run("show", "danse")


FAST = """
default: autonomous
rules:
  - tools: move_head
    when: {duration_s: {above: 0.0, below: 0.5}}
    tier: confirm
"""


def test_tool_permissions_name_conditions_on_arguments(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    (tmp_path / "permissions.yaml").write_text(FAST)
    fast = "With duration_s above 0 and below 0.5, a call needs a person's approval."
    assert permissions(MOVE_HEAD, "/nobody") == [fast, "A call needs no approval."]


def test_tool_that_always_needs_approval_needs_one_despite_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    careful = ToolDescription("erase_disk", "", {}, 1.0, needs_approval=True)
    assert permissions(careful, "/nobody") == ["A call needs a person's approval."]


def test_tool_description_contains_no_control_characters() -> None:
    schema = {"type": "object", "properties": {"a": {"type": "string", "description": "\x1b[2J"}}}
    told = description(ToolDescription("rude", "\x1b[2J", schema, 1.0), enabled=False, permitted=[])
    assert "\x1b" not in told
    assert told.endswith("The tool is predefined, disabled, and does not move the robot.")


@pytest.mark.parametrize("given", ["yaw_deg=20", "[20]", "[" * 100_000])
def test_tools_run_shows_form_of_arguments(given: str, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["tools", "run", "move_head", given])
    assert "expected a JSON object in quotes: '{\"yaw_deg\": 20}'" in capfd.readouterr().err


def test_tools_without_graph_prints_how_to_start_one() -> None:
    with pytest.raises(AgentError, match="Start one: reachy-agent up"):
        run("list", "--namespace", "/nobody")
