from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from corpus.honest_tools import HonestTool, honest_tools
from reachy_agent_ros.core.cancel import CancelToken
from reachy_agent_ros.core.deadline import Deadline
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.simulation.recording_body import RecordingBody
from reachy_agent_ros.tool_generation.broker.run import Equipment
from reachy_agent_ros.tool_generation.generator import ReviewPolicy, ToolGenerator
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tool_generation.verification.case import MOST
from reachy_agent_ros.tool_generation.write_tool import with_line_breaks, writing_tools
from reachy_agent_ros.tools.catalogue import ToolCatalogue
from reachy_agent_ros.tools.context import ToolContext
from support.tool_generation.registered_tools import program

SOURCE = program().source
WRONG = SOURCE.replace("number * 2", "number + 2.5")


class Desk:
    """Test environment that calls the tools `write_tool` and `read_tool` with JSON, as a model does."""

    def __init__(self, folder: Path) -> None:
        self.registry = Registry(folder / "tools")
        self.toolsmith = ToolGenerator(self.registry, ToolCatalogue(), Equipment(folder), ReviewPolicy.ACTING)
        self._tools = {tool.specification.name: tool for tool in writing_tools(self.toolsmith)}

    def call(self, tool_name: str, cancel: CancelToken | None = None, **arguments: Any) -> dict[str, Any]:
        tool = self._tools[tool_name]
        parsed = tool.specification.parse(json.dumps(arguments))
        context = ToolContext(RecordingBody(), Deadline(60.0), lambda _progress: None, cancel or CancelToken())
        result: dict[str, Any] = json.loads(json.dumps(tool.handler(parsed, context)))
        return result

    def write(self, source: str = SOURCE, **arguments: Any) -> dict[str, Any]:
        return self.call("write_tool", source=source, explanation="It doubles.", **arguments)

    def refused(self, source: str = SOURCE, **arguments: Any) -> AgentError:
        with pytest.raises(AgentError) as caught:
            self.write(source, **arguments)
        assert self.registry.list() == []
        return caught.value


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.toolsmith.open()
    if desk.toolsmith.unavailable is not None:
        pytest.skip(desk.toolsmith.unavailable.message)
    yield desk
    desk.toolsmith.close()


def case(number: float, **more: Any) -> dict[str, Any]:
    return {"args": {"number": number}, **more}


@pytest.mark.slow
def test_write_tool_returns_verdict_of_every_stage(desk: Desk) -> None:
    cases = [case(2.0, expect={"product": 4.0}), {"args": {"number": "two"}, "raises": "ValueError"}]
    result = desk.write(cases=cases, request="double 2")
    verdicts = result.pop("verdicts")
    assert result == {
        "result": "Version 1 of double_it is registered.",
        "name": "double_it",
        "version": 1,
        "registered": True,
        "waiting_for_review": False,
    }
    assert [(one["stage"], one["ok"]) for one in verdicts] == [
        (stage, True) for stage in ("text", "syntax", "sandbox", "trial")
    ]
    record = desk.registry.get("double_it").versions[0].record
    assert (record.author, record.request, record.explanation) == ("model", "double 2", "It doubles.")


@pytest.mark.slow
def test_write_tool_restores_double_escaped_line_breaks(desk: Desk) -> None:
    assert desk.write(SOURCE.replace("\n", "\\n"))["registered"]
    assert "\\n" not in desk.registry.source_of("double_it").partition('"""')[0]


@pytest.mark.slow
def test_write_tool_does_not_register_tool_pending_review(desk: Desk) -> None:
    source = SOURCE.replace("    return", '    say("Hello.")\n    return')
    result = desk.write(source)
    assert (result["registered"], result["waiting_for_review"]) == (False, True)
    assert "waits for a person's review" in result["result"]


@pytest.mark.slow
def test_write_tool_reports_stage_and_reason_of_rejection(desk: Desk) -> None:
    error = desk.refused("import os\n" + SOURCE)
    assert error.code is ErrorCode.VALIDATION_FAILED
    assert error.message.startswith("text: passed\nsyntax: FAILED. line 1: ")
    error = desk.refused(WRONG, cases=[case(2.5, expect={"product": 5.0}), case(9.0, expect={"product": 18.0})])
    assert "sandbox: FAILED. 1 of 2 cases failed." in error.message
    assert 'Case 2 failed: result["product"]: expected 18.0, got 11.5' in error.message


@pytest.mark.slow
def test_write_tool_runs_maximum_number_of_test_cases(desk: Desk) -> None:
    result = desk.write(cases=[case(float(number), expect={"product": 2.0 * number}) for number in range(MOST)])
    assert f"{MOST} of {MOST} cases passed" in result["verdicts"][2]["reason"]


@pytest.mark.parametrize(
    ("cases", "complaint"),
    [
        ([case(1.0)] * (MOST + 1), "at most 20"),
        ([case(1.0, expect={"product": 2.0}, raises="ValueError")], "Case 1 cannot both"),
        ([case(1.0, raises="no such name")], "name of an exception"),
        ([{"arguments": {}}], "no argument 'cases.0.arguments'"),
        ("none", "cases must be"),
    ],
)
def test_write_tool_rejects_invalid_test_cases_before_running(desk: Desk, cases: Any, complaint: str) -> None:
    error = desk.refused(cases=cases)
    assert error.code is ErrorCode.INVALID_ARGUMENTS
    assert complaint in error.message


@pytest.mark.parametrize("source", ["\ud800", SOURCE.replace("Any", "\udcff"), "\x00", "\u202e", "", "(" * 100_000])
def test_write_tool_rejects_invalid_source(desk: Desk, source: str) -> None:
    assert desk.refused(source).code in (ErrorCode.VALIDATION_FAILED, ErrorCode.INVALID_ARGUMENTS)


def test_cancelled_write_tool_registers_no_tool(desk: Desk) -> None:
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(AgentError) as caught:
        desk.call("write_tool", cancel, source=SOURCE, explanation="It doubles.")
    assert caught.value.code is ErrorCode.CANCELED
    assert desk.registry.list() == []


def test_write_tool_reports_missing_sandbox(tmp_path: Path) -> None:
    assert Desk(tmp_path).refused().code is ErrorCode.SANDBOX_UNAVAILABLE


@pytest.mark.slow
def test_read_tool_returns_state_and_failures_of_tool(desk: Desk) -> None:
    desk.write()
    read = desk.call("read_tool", name="double_it")
    assert read == {"name": "double_it", "state": "version 1 runs", "source": SOURCE, "failures": []}
    for _ in range(5):
        desk.registry.note_run("double_it", 1, AgentError(ErrorCode.TOOL_FAILED, "ValueError on line 9: no"), 0.1)
    read = desk.call("read_tool", name="double_it")
    assert read["state"].startswith("disabled: It failed in 5 of its last 5 runs")
    assert read["failures"] == ["ValueError on line 9: no"]
    with pytest.raises(AgentError) as caught:
        desk.call("read_tool", name="nobody")
    assert caught.value.code is ErrorCode.UNKNOWN_TOOL


@pytest.mark.parametrize("tool", honest_tools(), ids=lambda tool: tool.name)
def test_line_break_restoration_does_not_change_valid_source(tool: HonestTool) -> None:
    assert with_line_breaks(tool.source) == tool.source


@pytest.mark.parametrize("tool", honest_tools(), ids=lambda tool: tool.name)
def test_restores_escaped_line_breaks_in_tool_source(tool: HonestTool) -> None:
    meant = ast.unparse(ast.parse(tool.source))  # without comments, because only a line break ends a comment
    if "\\" not in meant:
        assert ast.dump(ast.parse(with_line_breaks(meant.replace("\n", "\\n")))) == ast.dump(ast.parse(meant))


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("return {}\n\\n   ", "return {}\n\n   "),
        ('say("a\\nb")\\n', 'say("a\\nb")\n'),
        (r"""x = '\'\n'\n""", "x = '\\'\\n'\n"),
        ("x = 1  # not \\n\n", "x = 1  # not \\n\n"),
        ('"""open\\n', '"""open\n'),
        ("x = 1 \\\n + 2", "x = 1 \\\n + 2"),
        ("", ""),
    ],
)
def test_restores_line_breaks_only_outside_strings_and_comments(written: str, meant: str) -> None:
    assert with_line_breaks(written) == meant
