import asyncio
import json
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from reachy_agent_ros.agent.planning.plan_store import FILE_NAME as PLANS
from reachy_agent_ros.agent.planning.plan_store import PlanStore
from reachy_agent_ros.agent.sessions.session_store import FILE_NAME, SessionStore
from reachy_agent_ros.cli.commands import sessions
from reachy_agent_ros.core.errors import AgentError
from support.agent.planning_cases import plan
from support.command_line import run_command
from support.nodes.running_agent import agent_state
from support.waiting import wait_until


@pytest.fixture(autouse=True)
def _conversations(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REACHY_AGENT_STATE", str(tmp_path))
    store = SessionStore(tmp_path / FILE_NAME)
    for text in ("look left", "now dance"):
        reply: Any = [{"role": "user", "content": text}, {"role": "assistant", "content": f"I did: {text}."}]
        asyncio.run(store.append("default", reply))
    store.close()


run = partial(run_command, sessions)


def lines(capsys: pytest.CaptureFixture[str]) -> list[Any]:
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


def test_sessions_list_is_printed_as_text_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("branch", "default", "other", "--turns", "1", "--json") == 0
    assert lines(capsys)[0]["branched_from"] == "default"
    assert run("list") == 0
    assert "look left  default\n" in capsys.readouterr().out
    assert run("list", "--json") == 0
    assert {line["session_id"]: line["turns"] for line in lines(capsys)} == {"other": 1, "default": 2}


def test_shows_conversation_turn_by_turn(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "default") == 0
    assert "   2  Person  now dance\n" in capsys.readouterr().out
    assert run("show", "default", "--json") == 0
    assert [(line["turn"], line["said"]) for line in lines(capsys)] == [(1, "look left"), (2, "now dance")]


def test_deleted_conversation_is_not_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("delete", "default", "--json") == 0
    assert lines(capsys) == [{"session_id": "default", "erased": True}]
    assert run("list") == 0
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "There are no conversations yet.\n")


def test_deleting_conversation_removes_only_its_own_plan(tmp_path: Path) -> None:
    store = PlanStore(tmp_path / PLANS)
    for name in ("default", "other"):
        store.put(name, plan("look left"))
    store.close()
    assert run("delete", "default") == 0
    again = PlanStore(tmp_path / PLANS)
    assert list(again.load()) == ["other"]
    again.close()


def test_exports_conversation_as_json_lines_or_markdown(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run("export", "default") == 0
    assert [line["role"] for line in lines(capsys)] == ["user", "assistant"] * 2
    page = tmp_path / "page.md"
    assert run("export", "default", "--markdown", "--out", str(page)) == 0
    assert "**Robot:** I did: now dance." in page.read_text()
    with pytest.raises(AgentError, match="Cannot write"):
        run("export", "default", "--out", str(tmp_path / "no" / "where"))


@pytest.mark.parametrize("words", [("show", "none"), ("delete", "none"), ("export", "none"), ("branch", "none", "new")])
def test_unknown_conversation_is_reported_as_not_found(words: tuple[str, ...]) -> None:
    with pytest.raises(AgentError, match="no conversation 'none'"):
        run(*words)


@pytest.mark.usefixtures("agent")
def test_resumes_conversation_on_running_robot(capfd: pytest.CaptureFixture[str]) -> None:
    assert run("resume", "kitchen") == 0
    assert capfd.readouterr().out == "The robot continues the conversation kitchen.\n"
    wait_until(lambda: agent_state().session_id == "kitchen")
    with pytest.raises(AgentError, match="leading or trailing spaces"):
        run("resume", " kitchen")
    assert run("resume", "default", "--json") == 0
    assert lines(capfd) == [{"session_id": "default"}]
