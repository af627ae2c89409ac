import uuid
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reachy_agent_ros.agent.permissions.grants import Grant, Grants
from reachy_agent_ros.agent.permissions.permissions import MEASURING, Call, Permissions
from reachy_agent_ros.agent.permissions.policy import PermissionRule, PermissionTier, Policy
from reachy_agent_ros.agent.provenance.judgment import Concern
from reachy_agent_ros.agent.provenance.label import Label, OriginKind
from reachy_agent_ros.core.errors import ErrorCode
from reachy_agent_ros.tools.predefined import predefined_tools
from reachy_agent_ros.tools.protocol.tools import ToolAuthor, ToolOrigin
from support.agent.permission_cases import STOP, TIERS, TOOLS, WAVE, rules

EVERYTHING = Grant(("*",))


def permissions(*order: PermissionRule, default: PermissionTier = PermissionTier.AUTONOMOUS) -> Permissions:
    return Permissions(Policy(order, default), Grants(), lambda: TOOLS)


def call(tool: str, arguments_json: str = "{}", tainted: bool = False) -> Call:
    return Call(tool, arguments_json, "one", uuid.uuid4(), "robot", tainted=tainted)


def test_tainted_call_needs_approval_despite_grant() -> None:
    judge = permissions()
    judge.grants.add(EVERYTHING)
    assert judge.judge(call("move_head", tainted=True)).must_ask
    assert not judge.judge(call("stop", tainted=True)).must_ask
    assert not judge.judge(call("move_head")).must_ask


def test_verdict_states_tier_reason_and_rule() -> None:
    rule = PermissionRule(("dance",), PermissionTier.CONFIRM, because="it is loud")
    verdict = permissions(rule).judge(call("dance"))
    assert (verdict.tier, verdict.reason, verdict.rule) == (PermissionTier.CONFIRM, "it is loud", "dance: confirm")
    assert verdict.must_ask
    assert not permissions(rule).judge(call("move_head")).must_ask


@pytest.mark.parametrize(
    ("author", "reason"),
    [
        (ToolAuthor.PERSON, "it is not mine, and a person wrote it"),
        (ToolAuthor.LANGUAGE_MODEL, "it is not mine, and a language model wrote it"),
        (ToolAuthor.IMPORT, "it is not mine, and it was imported from a file"),
        (ToolAuthor.NONE, "it is not mine"),
    ],
)
def test_approval_reason_names_author_of_tool(author: ToolAuthor, reason: str) -> None:
    rule = PermissionRule(("*",), PermissionTier.CONFIRM, because="it is not mine")
    judge = Permissions(Policy((rule,), PermissionTier.AUTONOMOUS), Grants(), lambda: [replace(WAVE, author=author)])
    assert judge.judge(call("wave")).reason == reason
    concern = Concern((Label(OriginKind.WEB),), False, "wave")
    told = judge.judge(replace(call("wave"), concern=concern)).reason
    assert told == f"{reason.replace(', and', ',')}, and {concern.reason}"


RULE = PermissionRule(("dance", "gesture"), PermissionTier.CONFIRM)
WEB, DOCUMENT = Label(OriginKind.WEB), Label(OriginKind.DOCUMENT)


@pytest.mark.parametrize("order", [(), (RULE,)], ids=["provenance", "provenance and rule"])
def test_grant_for_question_about_origin_covers_only_the_same_question(order: tuple[PermissionRule, ...]) -> None:
    judge = permissions(*order)
    asked = replace(call("dance"), concern=Concern((WEB,), False, "dance"))
    judge.grants.add(Grant(("dance",), "one", judge.judge(asked).rule))
    assert not judge.judge(asked).must_ask
    assert judge.judge(replace(asked, concern=Concern((WEB,), True, "dance"))).must_ask
    assert judge.judge(replace(asked, concern=Concern((WEB, DOCUMENT), False, "dance"))).must_ask
    assert judge.judge(replace(asked, tainted=True)).must_ask
    assert judge.judge(replace(asked, session_id="two")).must_ask


def test_grant_for_rule_does_not_cover_question_about_origin() -> None:
    judge = permissions(RULE)
    asked = replace(call("dance"), concern=Concern((WEB,), False, "dance"))
    judge.grants.add(Grant(("dance",), "one", judge.judge(call("dance")).rule))
    judge.grants.add(Grant(("dance",), "one", asked.concern.rule if asked.concern else ""))
    judge.grants.add(EVERYTHING)
    assert judge.judge(asked).must_ask


def test_grant_for_question_about_origin_and_rule_does_not_cover_question_about_rule() -> None:
    judge = permissions(RULE)
    asked = replace(call("dance"), concern=Concern((WEB,), False, "dance"))
    judge.grants.add(Grant(("dance",), "one", judge.judge(asked).rule))
    assert judge.judge(call("dance")).must_ask


def test_tool_that_needs_approval_overrides_permission_rules() -> None:
    assert permissions().judge(call("erase")).must_ask


def test_grant_replaces_approval_but_not_prohibition() -> None:
    judge = permissions(PermissionRule(("dance",), PermissionTier.FORBIDDEN), default=PermissionTier.CONFIRM)
    judge.grants.add(EVERYTHING)
    assert judge.judge(call("move_head")).grant == EVERYTHING
    verdict = judge.judge(call("dance"))
    assert verdict.grant is None
    assert verdict.refusal is not None
    assert verdict.refusal.code is ErrorCode.APPROVAL_DENIED


def test_stop_is_allowed_by_any_permission_rule() -> None:
    verdict = permissions(default=PermissionTier.FORBIDDEN).judge(call("stop"))
    assert (verdict.tier, verdict.unconditional) == (PermissionTier.AUTONOMOUS, True)
    foreign = replace(STOP, origin=ToolOrigin.EXTERNAL)
    verdict = Permissions(Policy((), PermissionTier.CONFIRM), Grants(), lambda: (foreign,)).judge(call("stop"))
    assert verdict.must_ask


def test_grant_is_used_only_when_it_replaces_approval() -> None:
    judge = permissions(PermissionRule(("dance",), PermissionTier.CONFIRM))
    judge.grants.add(replace(EVERYTHING, uses=1))
    assert judge.judge(call("move_head")).grant is None
    assert not judge.judge(call("dance")).must_ask
    assert judge.judge(call("dance")).must_ask


@pytest.mark.parametrize(
    ("tool", "arguments", "code"),
    [("fly", "{}", ErrorCode.UNKNOWN_TOOL), ("dance", "{", ErrorCode.INVALID_ARGUMENTS)],
)
def test_refuses_unknown_tool_and_invalid_arguments(tool: str, arguments: str, code: ErrorCode) -> None:
    judge = permissions()
    judge.grants.add(EVERYTHING)
    refusal = judge.judge(call(tool, arguments)).refusal
    assert refusal is not None
    assert refusal.code is code


def test_refusal_of_unknown_tool_suggests_closest_name() -> None:
    refusal = permissions().judge(call("move_haed")).refusal
    assert refusal is not None
    assert refusal.message == "There is no tool 'move_haed'. Did you mean move_head?"


@given(st.text(max_size=40) | st.sampled_from(['{"yaw_deg": 1, "yaw_deg": 2}', '{"yaw_deg": "1"}', "[]", "{}"]), TIERS)
def test_refuses_malformed_arguments(written: str, default: PermissionTier) -> None:
    judge = permissions(default=default)
    judge.grants.add(EVERYTHING)
    verdict = judge.judge(call("move_head", written))
    if written.strip() not in ("", "{}"):
        assert verdict.refusal is not None


@pytest.mark.slow
@given(st.lists(rules(), max_size=4), TIERS)
def test_grant_does_not_change_tier(order: list[PermissionRule], default: PermissionTier) -> None:
    plain, granted = permissions(*order, default=default), permissions(*order, default=default)
    granted.grants.add(EVERYTHING)
    for one in TOOLS:
        before, after = plain.judge(call(one.name)), granted.judge(call(one.name))
        assert before.tier is after.tier
        assert (before.refusal is None) == (after.refusal is None)
        assert (after.grant is not None) == before.must_ask


def test_measuring_tools_neither_move_robot_nor_return_untrusted_text() -> None:
    tools = [tool.specification for tool in predefined_tools(Path(), ["joy"], ["waltz"])]
    assert {tool.name for tool in tools if tool.only_measures} == MEASURING
    assert not any(tool.moves_robot or tool.untrusted_output for tool in tools if tool.only_measures)
