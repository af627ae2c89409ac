from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.motion.dance import dances
from reachy_agent_ros.motion.emotion import emotions
from reachy_agent_ros.testing.scenario import Scenario, ScenarioTurn
from reachy_agent_ros.testing.scenario_file import load_scenarios, parse_scenarios, scenario_folder
from reachy_agent_ros.tools.predefined import predefined_tools

PLAIN = """\
- name: a plain command
  turns:
    - say: look left
      tools: [{tool: move_head, arguments: {yaw_deg: 30}}]
"""

words = st.text(st.characters(codec="utf-8", exclude_categories=("C",)), min_size=1, max_size=30).filter(str.strip)
turns = st.builds(ScenarioTurn, say=words, seconds=st.floats(0.1, 120.0), errors=st.just(["CANCELED"]))


def complaint(text: str) -> str:
    with pytest.raises(AgentError) as caught:
        parse_scenarios(text, "some.yaml")
    assert caught.value.code is ErrorCode.INVALID_ARGUMENTS
    return caught.value.message


@pytest.mark.slow
@given(st.lists(st.builds(Scenario, name=words, turns=st.lists(turns, min_size=1, max_size=3)), max_size=3))
def test_scenarios_round_trip_through_yaml(scenarios: list[Scenario]) -> None:
    text = yaml.safe_dump([scenario.model_dump(mode="json") for scenario in scenarios], allow_unicode=True)
    assert parse_scenarios(text, "some.yaml") == scenarios


def refusal(text: str) -> AgentError | None:
    try:
        parse_scenarios(text, "some.yaml")
    except AgentError as error:
        return error
    return None


@pytest.mark.slow
@given(
    st.text(max_size=200)
    | st.builds(yaml.safe_dump, st.recursive(st.none() | st.booleans() | words, st.lists))
    | st.builds(lambda at, slip: PLAIN[:at] + slip + PLAIN[at:], st.integers(0, len(PLAIN)), st.characters())
)
def test_any_scenario_text_is_parsed_or_rejected_with_file_name(text: str) -> None:
    error = refusal(text)
    assert error is None or error.code is ErrorCode.INVALID_ARGUMENTS
    assert error is None or error.message.startswith("some.yaml")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("say: look", "says: look"), "some.yaml:3: turns.0.say"),
        (
            ("yaw_deg: 30}}]", "yaw_deg: 30}}]\n      errors: [OOPS]"),
            "some.yaml:5: turns.0.errors.0: unknown error code",
        ),
        (("name: a plain command", "name: 7"), "some.yaml:1: name"),
        (("  turns:", "  seconds: 1000\n  turns:"), "some.yaml:2: seconds"),
        (("say: look left", "say: look left\n      say: look right"), "some.yaml:4: duplicate key 'say'"),
        (("say: look left", "say: look: left"), "some.yaml:3: invalid YAML"),
        (("name: a plain command", "name: !!int ''"), "some.yaml: invalid YAML"),
        (("name: a plain command", "name: !!timestamp x"), "some.yaml: invalid YAML"),
        (("- name: a plain command\n  ", ""), "some.yaml:1: expected a list of scenarios"),
        (("  turns:", "  end: {registered: {}}\n  turns:"), "some.yaml:1: a scenario: decides and registered"),
        (("  turns:", "  end: {ways: 2}\n  turns:"), "some.yaml:1: a scenario: `shows`, `gestures_rated` and `ways`"),
    ],
)
def test_error_in_scenario_names_line(change: tuple[str, str], words: str) -> None:
    assert change[0] in PLAIN
    assert complaint(PLAIN.replace(*change)).startswith(words)


def test_rejects_scenarios_with_same_name(tmp_path: Path) -> None:
    for name in ("one.yaml", "two.yaml"):
        (tmp_path / name).write_text(PLAIN, encoding="utf-8")
    with pytest.raises(AgentError, match="duplicate scenario name 'a plain command'"):
        load_scenarios([tmp_path])


def test_reports_missing_scenario_file(tmp_path: Path) -> None:
    with pytest.raises(AgentError, match="Cannot read"):
        load_scenarios([tmp_path / "none.yaml"])


def test_packaged_scenarios_cover_benchmark_and_use_existing_tools() -> None:
    scenarios = load_scenarios([scenario_folder()])
    assert {scenario.benchmark for scenario in scenarios} >= set(range(1, 16))
    tools = {tool.specification.name: tool.specification for tool in predefined_tools(Path(), emotions(), dances())}
    for scenario in scenarios:
        written = {"write_tool", "read_tool", *(scenario.end.registered or {})} if scenario.world.tool_review else set()
        for call in (call for turn in scenario.turns for call in turn.tools if call.tool not in written):
            properties: Any = tools[call.tool].schema.get("properties", {})
            assert set(call.arguments or {}) <= set(properties)
