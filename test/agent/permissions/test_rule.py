import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions.condition import Condition
from reachy_agent_ros.agent.permissions.rule import Rule
from reachy_agent_ros.agent.permissions.tier import Tier
from reachy_agent_ros.tools.protocol.tools import Origin, ToolDescription
from support.agent.permission_cases import DANCE, MOVE_HEAD, TOOLS, WAVE, calls, rules

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


@pytest.mark.slow
@given(rules(), rules(), st.lists(calls(), max_size=20))
def test_a_covering_rule_takes_every_call(
    one: Rule, other: Rule, made: list[tuple[ToolDescription, dict[str, object]]]
) -> None:
    if all(one.covers(pattern, other) for pattern in other.tools):
        assert all(one.matches(*call) for call in made if other.matches(*call))


def test_a_rule_covers_what_it_takes_all_of() -> None:
    everything = Rule(("*",), Tier.CONFIRM)
    fast = Rule(("wave",), Tier.CONFIRM, FAST)
    faster = Rule(("wave",), Tier.CONFIRM, {"speed": Condition(above=2.0)})
    generated = Rule(("wave",), Tier.CONFIRM, origins=frozenset({Origin.GENERATED}))
    assert everything.covers("wave", fast)
    assert fast.covers("wave", faster)
    assert not faster.covers("wave", fast)
    assert not fast.covers("wave", everything)
    assert everything.covers("wave", generated)
    assert not generated.covers("wave", everything)
    assert not fast.covers("dance", faster)


def test_a_rule_that_allows_covers_none_that_restricts_an_argument_left_open() -> None:
    allowed, asked = Rule(("wave",), Tier.NOTIFY, FAST), Rule(("wave",), Tier.CONFIRM, FAST)
    assert not allowed.covers("wave", asked)
    assert allowed.covers("wave", Rule(("wave",), Tier.AUTONOMOUS, FAST))
    assert asked.covers("wave", allowed)
    assert Rule(("wave",), Tier.NOTIFY).covers("wave", asked)


def test_a_rule_about_several_things_names_each() -> None:
    when = {"speed": Condition(at_least=1.5), "dance": Condition(one_of=["slow", 2.0])}
    rule = Rule(("wave", "dance"), Tier.NOTIFY, when, frozenset({Origin.GENERATED, Origin.EXTERNAL}))
    assert str(rule) == "wave, dance (external or generated and speed at least 1.5 and dance one of slow, 2.0): notify"
