"""File `agents.yaml`: changes to the team of specialists, and errors for invalid files."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.conversation.specialists import USUAL_TEAM
from reachy_agent_ros.agent.conversation.team_file import load_team, unknown_tools
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from support import ROOT

TOOLS = ("web_search", "dance", "say", "recall", "notion_*")
CHEF = "chef: {description: Cooks., instructions: You cook., tools: [web_search, notion_read]}"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "agents.yaml"


def test_missing_team_file_yields_default_team(path: Path) -> None:
    assert load_team(path) == USUAL_TEAM


def test_built_in_specialist_keeps_settings_omitted_from_team_file(path: Path) -> None:
    path.write_text("agents:\n  robot: {instructions: Move slowly., tools: [recall], without: [dance], model: deep}\n")
    robot, usual = load_team(path, TOOLS)["robot"], USUAL_TEAM["robot"]
    assert robot.instructions == f"{usual.instructions} Move slowly."
    assert (robot.description, robot.writing) == (usual.description, usual.writing)
    assert (robot.tools, robot.without, robot.tier) == (("recall",), ("dance",), "deep")


def test_custom_specialist_is_listed_after_built_in_specialists(path: Path) -> None:
    path.write_text(f"agents:\n  {CHEF}\n")
    team = load_team(path, TOOLS)
    assert list(team) == [*USUAL_TEAM, "chef"]
    assert team["chef"].instructions == "You are the chef specialist. You cook."


@pytest.mark.parametrize(
    ("written", "complaint"),
    [
        ("agents:\n  vison: {without: [dance]}", "line 2: agents vison: There is no .* Did you mean vision?"),
        ("agents:\n  chef: {tools: [dance]}", "line 2: agents chef: .* needs description, instructions"),
        ("agents:\n  robot:\n    instructns: Hi", "line 3: agents robot instructns: .* Did you mean instructions?"),
        ("agents:\n  robot:\n    tools:\n    - dnace", "line 4: agents robot tools 1: .*'dnace'. Did you mean dance?"),
        ("agents:\n  robot: {without: [fly_*]}", "line 2: agents robot without 1: There is no tool 'fly_*'"),
        ("agents:\n  robot:\n    model: large", "line 3: agents robot model: Input should be 'quick' or 'deep'"),
        ("agents:\n  robot: {permissions: none}", "permissions: Extra inputs"),
        ("agents:\n  coordinator: {tools: [dance]}", "line 2: agents coordinator: only instructions and model"),
        ("agents:\n  Chef: {}", "line 2: agents Chef"),
        ("agents:\n  web: {instructions: 'Use http://me:hunter2@x/'}", "contains a password"),
        ("robot: {}", "agents: Field required"),
    ],
)
def test_error_in_team_file_names_line_and_closest_valid_name(path: Path, written: str, complaint: str) -> None:
    path.write_text(written)
    with pytest.raises(AgentError) as caught:
        load_team(path, TOOLS)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    assert str(path) in caught.value.message
    assert re.search(complaint.replace("?", r"\?").replace("_*", r"_\*"), caught.value.message)
    assert "hunter2" not in caught.value.message


@given(st.text(max_size=200))
def test_rejects_any_text_that_is_not_a_team_file(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = tmp_path_factory.mktemp("agents") / "agents.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AgentError):
        load_team(path)


def test_reports_unavailable_tools_in_team_file(path: Path) -> None:
    path.write_text("agents:\n  robot: {without: [dance]}\n")
    assert unknown_tools(load_team(path), ["dance"]) == ""
    assert "There is no tool 'dance'. Did you mean dances?" in unknown_tools(load_team(path), ["dances"])


def test_documented_team_file_is_valid(path: Path) -> None:
    page = (ROOT / "docs" / "guides" / "agents.md").read_text()
    (example,) = re.findall(r"^```yaml\n(agents:.*?)```", page, re.DOTALL | re.MULTILINE)
    path.write_text(example)
    assert load_team(path, ["dance", "web_search", "recall", "take_photo"]) != USUAL_TEAM
