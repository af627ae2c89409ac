import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions.condition import Condition
from reachy_agent_ros.agent.permissions.policy import Policy, unreachable
from reachy_agent_ros.agent.permissions.rule import Rule
from reachy_agent_ros.agent.permissions.tier import Tier
from reachy_agent_ros.tools.protocol.tools import ToolDescription
from support.agent.permission_cases import DANCE, MOVE_HEAD, TIERS, TOOLS, calls, rules

SLOW = Rule(("move_head",), Tier.AUTONOMOUS, {"duration_s": Condition(at_least=0.5)})
ALL = Rule(("*",), Tier.CONFIRM)


def test_the_first_rule_that_matches_decides() -> None:
    policy = Policy((SLOW, ALL), Tier.FORBIDDEN)
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 1.0}) is SLOW
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 0.1}) is ALL
    assert Policy((SLOW,), Tier.FORBIDDEN).rule_for(DANCE, {}).tier is Tier.FORBIDDEN


def test_a_rule_behind_one_that_takes_everything_is_unreachable() -> None:
    assert list(unreachable([ALL, SLOW])) == [(SLOW, "move_head", ALL)]
    assert list(unreachable([SLOW, ALL])) == []


def test_a_rule_about_no_tool_is_told() -> None:
    misspelt = Rule(("move_haed",), Tier.FORBIDDEN)
    wrong_argument = Rule(("dance",), Tier.NOTIFY, {"duration_s": Condition(below=1.0)})
    assert Policy((SLOW, misspelt, wrong_argument, ALL), Tier.NOTIFY).idle(TOOLS) == [misspelt, wrong_argument]


@pytest.mark.slow
@given(st.lists(rules(), max_size=4), TIERS, st.lists(calls(), max_size=10))
def test_an_unreachable_rule_never_decides(
    order: list[Rule], default: Tier, made: list[tuple[ToolDescription, dict[str, object]]]
) -> None:
    dead = list(unreachable(order))
    fully = [
        rule
        for rule in order
        if all(any(one is rule and dead_one == p for one, dead_one, _ in dead) for p in rule.tools)
    ]
    policy = Policy(tuple(order), default)
    deciding = [policy.rule_for(*call) for call in made]
    assert not [rule for rule in fully for one in deciding if one is rule]


@pytest.mark.slow
@given(st.lists(rules(), max_size=4), TIERS, calls())
def test_a_stricter_rule_in_front_never_loosens(
    order: list[Rule], default: Tier, call: tuple[ToolDescription, dict[str, object]]
) -> None:
    before = Policy(tuple(order), default).rule_for(*call).tier
    forbidding = Rule(("*",), Tier.FORBIDDEN)
    assert Policy((forbidding, *order), default).rule_for(*call).tier is Tier.FORBIDDEN >= before
