from hypothesis import given
from hypothesis import strategies as st
from permission_cases import DANCE, MOVE_HEAD, TOOLS, WAVE, calls, rules

from reachy_agent_ros.mind.permissions.condition import Condition
from reachy_agent_ros.mind.permissions.rule import Rule
from reachy_agent_ros.mind.permissions.tier import Tier
from reachy_agent_ros.mind.toolbox.tools import Origin, ToolDescription

FAST = {"speed": Condition(above=1.0)}


def test_a_pattern_names_tools() -> None:
    rule = Rule(("move_*", "dance"), Tier.NOTIFY)
    assert [tool.name for tool in TOOLS if rule.matches(tool, {})] == ["move_head", "dance"]


def test_a_rule_may_be_about_where_a_tool_comes_from() -> None:
    rule = Rule(("*",), Tier.CONFIRM, origins=frozenset({Origin.GENERATED}))
    assert rule.matches(WAVE, {})
    assert not rule.matches(DANCE, {})
    assert str(rule) == "* (generated): confirm"


def test_an_open_argument_counts_against_the_call() -> None:
    assert Rule(("wave",), Tier.CONFIRM, FAST).matches(WAVE, {})
    assert not Rule(("wave",), Tier.NOTIFY, FAST).matches(WAVE, {})
    assert Rule(("wave",), Tier.FORBIDDEN, FAST).matches(WAVE, {"speed": None})
    assert not Rule(("wave",), Tier.FORBIDDEN, FAST).matches(WAVE, {"speed": 1.0})


def test_a_rule_says_what_it_is_about() -> None:
    rule = Rule(("move_head",), Tier.CONFIRM, {"duration_s": Condition(above=0.0, below=0.5)})
    assert str(rule) == "move_head (duration_s above 0 and below 0.5): confirm"
    assert rule.matches(MOVE_HEAD, {"duration_s": 0.2})


@given(rules(), rules(), st.lists(calls(), max_size=20))
def test_a_covering_rule_takes_every_call(
    one: Rule, other: Rule, made: list[tuple[ToolDescription, dict[str, object]]]
) -> None:
    if all(one.covers(pattern, other) for pattern in other.tools):
        assert all(one.matches(*call) for call in made if other.matches(*call))
