import contextlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from reachy_agent_ros.agent.permissions.policy import (
    TEMPLATES,
    Condition,
    PermissionRule,
    PermissionTier,
    Policy,
    load_policy,
    read_policy,
    template,
    unreachable,
)
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin
from support.agent.permission_cases import DANCE, ERASE, MOVE_HEAD, TIERS, TOOLS, WAVE, calls, rules

ENDS = st.none() | st.integers(-3, 3).map(float)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    if draw(st.booleans()):
        return Condition(one_of=draw(st.lists(st.integers(-3, 3).map(float), min_size=1)))
    ends = {name: draw(ENDS) for name in ("above", "at_least", "below", "at_most")}
    try:
        return Condition(**{name: end for name, end in ends.items() if end is not None})
    except ValidationError:
        return Condition(at_least=0.0)


@pytest.mark.parametrize(
    ("condition", "value", "holds"),
    [
        (Condition(below=0.5), 0.5, False),
        (Condition(below=0.5), 0.49, True),
        (Condition(at_most=0.5), 0.5, True),
        (Condition(above=0.0, below=0.5), 0, False),
        (Condition(at_least=1.0), "1", None),
        (Condition(at_least=1.0), True, None),
        (Condition(one_of=[1.0]), True, False),
        (Condition(one_of=[True]), 1, False),
        (Condition(one_of=["all", 2.0]), 2, True),
        (Condition(one_of=["all"]), "al", False),
        (Condition(one_of=["all"]), ["all"], False),
    ],
)
def test_rule_condition_accepts_or_rejects_value(condition: Condition, value: Any, holds: bool | None) -> None:
    assert condition.holds(value) is holds


@pytest.mark.parametrize(
    "written",
    [{}, {"above": 1, "below": 1}, {"at_least": 2, "at_most": 1}, {"one_of": []}, {"one_of": [1], "below": 2},
     {"below": "1"}, {"below": float("nan")}, {"under": 1}, {"below": True}],
)  # fmt: skip
def test_rejects_invalid_rule_condition(written: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate(written)


@given(conditions(), conditions())
def test_broader_condition_accepts_all_values_of_narrower_condition(one: Condition, other: Condition) -> None:
    values = [step / 2 for step in range(-10, 11)]
    if one.covers(other):
        assert all(one.holds(value) for value in values if other.holds(value))


@pytest.mark.parametrize(
    ("one", "other", "covers"),
    [
        (Condition(above=0.0), Condition(above=0.0), True),
        (Condition(at_least=0.0), Condition(above=0.0), True),
        (Condition(above=0.0), Condition(at_least=0.0), False),
        (Condition(at_most=1.0), Condition(below=1.0), True),
        (Condition(below=1.0), Condition(at_most=1.0), False),
        (Condition(above=0.0), Condition(above=1.0, below=2.0), True),
        (Condition(above=1.0, below=2.0), Condition(above=1.0), False),
        (Condition(above=1.0), Condition(below=2.0), False),
        (Condition(at_least=1.0), Condition(one_of=[1.0, 2.0]), True),
        (Condition(at_least=1.0), Condition(one_of=[1.0, "2"]), False),
        (Condition(one_of=["a", "b"]), Condition(one_of=["b"]), True),
        (Condition(one_of=["b"]), Condition(one_of=["a", "b"]), False),
        (Condition(one_of=[1.0]), Condition(at_least=1.0, at_most=1.0), False),
    ],
)
def test_condition_covers_only_narrower_condition(one: Condition, other: Condition, covers: bool) -> None:
    assert one.covers(other) is covers


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_condition_with_range_excludes_nan_and_infinity(value: float) -> None:
    assert Condition(at_least=0.0, at_most=1.0).holds(value) is False


def test_condition_with_two_bounds_applies_narrower_bound() -> None:
    both = Condition(above=0.0, at_least=1.0, below=3.0, at_most=2.0)
    assert [value for value in (0.0, 0.5, 1.0, 2.0, 2.5, 3.0) if both.holds(value)] == [1.0, 2.0]
    open_ends = Condition(above=1.0, at_least=1.0, below=2.0, at_most=2.0)
    assert [value for value in (1.0, 1.5, 2.0) if open_ends.holds(value)] == [1.5]


@pytest.mark.parametrize("written", [{"above": 1, "at_most": 1}, {"at_least": 1, "below": 1}, {"above": 2, "below": 1}])
def test_rejects_condition_with_empty_range(written: dict[str, float]) -> None:
    with pytest.raises(ValidationError):
        Condition.model_validate(written)


def test_accepts_condition_whose_range_is_a_single_number() -> None:
    assert Condition(at_least=1.0, at_most=1.0).holds(1.0)


FAST = {"speed": Condition(above=1.0)}


def test_pattern_in_rule_matches_tool_names() -> None:
    rule = PermissionRule(("move_*", "dance"), PermissionTier.NOTIFY)
    assert [tool.name for tool in TOOLS if rule.matches(tool, {})] == ["move_head", "dance"]


def test_rule_matches_tool_origin() -> None:
    rule = PermissionRule(("*",), PermissionTier.CONFIRM, origins=frozenset({ToolOrigin.GENERATED}))
    assert rule.matches(WAVE, {})
    assert not rule.matches(DANCE, {})
    assert str(rule) == "* (generated): confirm"


def test_rule_for_missing_argument_applies_only_if_it_restricts_call() -> None:
    assert PermissionRule(("wave",), PermissionTier.CONFIRM, FAST).matches(WAVE, {})
    assert not PermissionRule(("wave",), PermissionTier.NOTIFY, FAST).matches(WAVE, {})
    assert PermissionRule(("wave",), PermissionTier.FORBIDDEN, FAST).matches(WAVE, {"speed": None})
    assert not PermissionRule(("wave",), PermissionTier.FORBIDDEN, FAST).matches(WAVE, {"speed": 1.0})


def test_rule_description_names_tools_conditions_and_tier() -> None:
    rule = PermissionRule(("move_head",), PermissionTier.CONFIRM, {"duration_s": Condition(above=0.0, below=0.5)})
    assert str(rule) == "move_head (duration_s above 0 and below 0.5): confirm"
    assert rule.matches(MOVE_HEAD, {"duration_s": 0.2})


@pytest.mark.slow
@given(rules(), rules(), st.lists(calls(), max_size=20))
def test_broader_rule_matches_every_call_of_narrower_rule(
    one: PermissionRule, other: PermissionRule, made: list[tuple[ToolDescription, dict[str, object]]]
) -> None:
    if all(one.covers(pattern, other) for pattern in other.tools):
        assert all(one.matches(*call) for call in made if other.matches(*call))


def test_rule_covers_only_rules_that_it_fully_includes() -> None:
    everything = PermissionRule(("*",), PermissionTier.CONFIRM)
    fast = PermissionRule(("wave",), PermissionTier.CONFIRM, FAST)
    faster = PermissionRule(("wave",), PermissionTier.CONFIRM, {"speed": Condition(above=2.0)})
    generated = PermissionRule(("wave",), PermissionTier.CONFIRM, origins=frozenset({ToolOrigin.GENERATED}))
    assert everything.covers("wave", fast)
    assert fast.covers("wave", faster)
    assert not faster.covers("wave", fast)
    assert not fast.covers("wave", everything)
    assert everything.covers("wave", generated)
    assert not generated.covers("wave", everything)
    assert not fast.covers("dance", faster)


def test_rule_that_allows_calls_does_not_cover_stricter_rule_if_argument_may_be_missing() -> None:
    allowed, asked = (
        PermissionRule(("wave",), PermissionTier.NOTIFY, FAST),
        PermissionRule(("wave",), PermissionTier.CONFIRM, FAST),
    )
    assert not allowed.covers("wave", asked)
    assert allowed.covers("wave", PermissionRule(("wave",), PermissionTier.AUTONOMOUS, FAST))
    assert asked.covers("wave", allowed)
    assert PermissionRule(("wave",), PermissionTier.NOTIFY).covers("wave", asked)


def test_rule_description_names_each_condition() -> None:
    when = {"speed": Condition(at_least=1.5), "dance": Condition(one_of=["slow", 2.0])}
    rule = PermissionRule(
        ("wave", "dance"), PermissionTier.NOTIFY, when, frozenset({ToolOrigin.GENERATED, ToolOrigin.EXTERNAL})
    )
    assert str(rule) == "wave, dance (external or generated and speed at least 1.5 and dance one of slow, 2.0): notify"


SLOW = PermissionRule(("move_head",), PermissionTier.AUTONOMOUS, {"duration_s": Condition(at_least=0.5)})
ALL = PermissionRule(("*",), PermissionTier.CONFIRM)


def test_first_matching_permission_rule_applies() -> None:
    policy = Policy((SLOW, ALL), PermissionTier.FORBIDDEN)
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 1.0}) is SLOW
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 0.1}) is ALL
    assert Policy((SLOW,), PermissionTier.FORBIDDEN).rule_for(DANCE, {}).tier is PermissionTier.FORBIDDEN


def test_rule_after_catch_all_rule_is_unreachable() -> None:
    assert list(unreachable([ALL, SLOW])) == [(SLOW, "move_head", ALL)]
    assert list(unreachable([SLOW, ALL])) == []


def test_rule_without_matching_tool_is_reported_as_unused() -> None:
    misspelt = PermissionRule(("move_haed",), PermissionTier.FORBIDDEN)
    wrong_argument = PermissionRule(("dance",), PermissionTier.NOTIFY, {"duration_s": Condition(below=1.0)})
    assert Policy((SLOW, misspelt, wrong_argument, ALL), PermissionTier.NOTIFY).idle(TOOLS) == [
        misspelt,
        wrong_argument,
    ]


@pytest.mark.slow
@given(st.lists(rules(), max_size=4), TIERS, st.lists(calls(), max_size=10))
def test_unreachable_rule_never_applies(
    order: list[PermissionRule], default: PermissionTier, made: list[tuple[ToolDescription, dict[str, object]]]
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
def test_adding_forbidding_rule_in_front_makes_policy_forbid_every_call(
    order: list[PermissionRule], default: PermissionTier, call: tuple[ToolDescription, dict[str, object]]
) -> None:
    before = Policy(tuple(order), default).rule_for(*call).tier
    forbidding = PermissionRule(("*",), PermissionTier.FORBIDDEN)
    assert Policy((forbidding, *order), default).rule_for(*call).tier is PermissionTier.FORBIDDEN >= before


MINE = """
extends: standard
rules:
  - tools: move_head
    when: {duration_s: {above: 0, below: 0.5}}
    tier: confirm
    because: it is fast
  - tools: [dance, gesture]
    tier: notify
"""


def write(folder: Path, text: str) -> Path:
    path = folder / "permissions.yaml"
    path.write_text(text)
    return path


def test_rules_in_permissions_file_precede_rules_of_template(tmp_path: Path) -> None:
    policy = read_policy(write(tmp_path, MINE))
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 0.2}).because == "it is fast"
    assert policy.rule_for(MOVE_HEAD, {"duration_s": 0.0}).tier is PermissionTier.AUTONOMOUS
    assert policy.rule_for(DANCE, {}).tier is PermissionTier.NOTIFY
    assert policy.rule_for(WAVE, {}).tier is PermissionTier.CONFIRM


def test_standard_template_applies_without_permissions_file(tmp_path: Path) -> None:
    assert load_policy(tmp_path / "none.yaml") == template("standard")


@pytest.mark.parametrize("name", TEMPLATES)
def test_every_permissions_template_requires_approval_for_generated_tools(name: str) -> None:
    assert template(name).rule_for(WAVE, {}).tier >= PermissionTier.CONFIRM


def test_permission_templates_are_ordered_by_strictness() -> None:
    external = ToolDescription("search", "", {"type": "object"}, 1.0, origin=ToolOrigin.EXTERNAL)
    photo = ToolDescription("take_photo", "", {"type": "object"}, 1.0)
    for tool in (*TOOLS, external, photo):
        tiers = [template(name).rule_for(tool, {"duration_s": 0.0}).tier for name in TEMPLATES]
        assert tiers == sorted(tiers, reverse=True)
    assert template("careful").rule_for(ERASE, {}).tier is PermissionTier.CONFIRM


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "the file"),
        ("[1]", "the file"),
        ("default: confirm\nextra: 1", "extra"),
        ("default: maybe", "default"),
        ("default: notify\nextends: careful", "either"),
        ("extends: bold", "extends"),
        ("default: notify\ndefault: confirm", "twice"),
        ("default: notify\nrules: [{tools: dance, tier: 2}]", "rules 1 tier"),
        ("default: notify\nrules: [{tools: [], tier: notify}]", "rules 1 tools"),
        ("default: notify\nrules: [{tools: 'da nce', tier: notify}]", "rules 1 tools"),
        ("default: notify\nrules: [{tools: 'dance?', tier: notify}]", "rules 1 tools"),
        ("default: notify\nrules: [{tools: dance, tier: notify, origin: made}]", "rules 1 origin"),
        ("default: notify\nrules: [{tools: dance, tier: notify, when: {n: {below: '5'}}}]", "rules 1 when n below"),
        ("default: notify\nrules: [{tools: dance, tier: notify, when: {n: {above: 5, below: 5}}}]", "no value"),
        ("default: notify\nrules: [{tools: dance, tier: notify, when: {n: {below: .nan}}}]", "below"),
        ("default: notify\nrules: [{tools: dance}]", "rules 1 tier"),
        ("default: notify\nrules:\n - {tools: '*', tier: notify}\n - {tools: dance, tier: confirm}", "never reached"),
        ("default: !!python/object/apply:os.system [exit]", "not applied"),
        ("default: [", "not applied"),
        ("[" * 5000, "not applied"),
        ("default: notify\n? [a, b]\n: 1", "not applied"),
        ("default: notify\n#" + "x" * 1_000_000, "more than 1000000 bytes"),
    ],
)
def test_rejects_invalid_permissions_file(tmp_path: Path, text: str, complaint: str) -> None:
    with pytest.raises(AgentError) as error:
        read_policy(write(tmp_path, text))
    assert error.value.code is ErrorCode.INVALID_ARGUMENTS
    assert complaint in error.value.message


def test_rejects_permissions_file_that_is_not_utf8(tmp_path: Path) -> None:
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    for path in (tmp_path / "binary", tmp_path):
        with pytest.raises(AgentError, match="not applied"):
            load_policy(path)


@given(st.text("default:notifyrules -{}[]&*!?\n#'\"", max_size=60))
def test_any_permissions_file_is_loaded_or_rejected(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    path = write(tmp_path_factory.getbasetemp(), text)
    with contextlib.suppress(AgentError):
        assert read_policy(path).default in PermissionTier


def test_documented_permissions_file_is_valid(tmp_path: Path) -> None:
    page = Path(__file__).parents[3] / "docs" / "guides" / "permissions.md"
    shown = page.read_text(encoding="utf-8").split("```yaml\n")[1].split("```")[0]
    assert read_policy(write(tmp_path, shown)).rule_for(WAVE, {}).tier is PermissionTier.FORBIDDEN


def test_rules_for_tool_end_with_first_rule_without_conditions() -> None:
    fast = PermissionRule(("move_*",), PermissionTier.CONFIRM, {"duration_s": Condition(below=0.5)})
    moves, other = (PermissionRule((name,), PermissionTier.AUTONOMOUS) for name in ("move_head", "dance"))
    policy = Policy((fast, other, moves, PermissionRule(("*",), PermissionTier.NOTIFY)), PermissionTier.FORBIDDEN)
    assert list(policy.rules_for(MOVE_HEAD)) == [fast, moves]


def test_rules_for_tool_without_unconditional_rule_end_with_default_tier() -> None:
    fast = PermissionRule(("move_*",), PermissionTier.CONFIRM, {"duration_s": Condition(below=0.5)})
    found = list(Policy((fast,), PermissionTier.FORBIDDEN).rules_for(MOVE_HEAD))
    assert [rule.tier for rule in found] == [PermissionTier.CONFIRM, PermissionTier.FORBIDDEN]
