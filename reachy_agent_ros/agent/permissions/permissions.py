"""Judges calls of tools: whether a call may be made, needs a person's yes, or is refused."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.agent.permissions.grants import Grant, Grants
from reachy_agent_ros.agent.permissions.policy import PermissionRule, PermissionTier, Policy
from reachy_agent_ros.agent.provenance.judgement import Concern
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolDescription, ToolOrigin

STOP = "stop"
"""Our tool that no rule and no full disk may keep from running: it makes the robot safer, whoever calls it."""

MEASURING = frozenset({"get_robot_state"})
"""Our tools that do nothing but measure, so that equal calls of them may share a record."""


@dataclass(frozen=True)
class Call:
    """A call that somebody wants to make.

    Attributes:
        tool: Name.
        arguments_json: A JSON object.
        session_id: Conversation it belongs to.
        turn_id: Turn it belongs to.
        requester: Agent that wants it.
        run_state: What the turn needs to go on after a restart.
        tainted: Whether whoever wants it has just read words of others that give orders.
        asked_by: Token that the request was made with, empty if none.
        approval_id: Approval that `ask` or `resume` returned for it, None for none.
        origin: Provenance labels of what whoever wants it has been shown, in one line.
        concern: Why that makes the call need a yes, None where it does not.
        kept_origin: Labels that text of its arguments gets where it is kept.
    """

    tool: str
    arguments_json: str
    session_id: str
    turn_id: uuid.UUID
    requester: str
    run_state: str = ""
    tainted: bool = False
    asked_by: str = ""
    approval_id: uuid.UUID | None = None
    origin: str = ""
    concern: Concern | None = None
    kept_origin: str = ""


@dataclass(frozen=True)
class PermissionVerdict:
    """What was found about one call.

    Attributes:
        tier: What it needs, before any grant.
        reason: Why, in words for people.
        rule: The rule that decided, in words; empty where none was asked.
        grant: The grant by which a person need not be asked.
        refusal: Why the call must not run, None if it may.
        unconditional: Whether it runs even where that cannot be written down.
        measures: Whether the call does nothing but measure.
    """

    tier: PermissionTier
    reason: str
    rule: str = ""
    grant: Grant | None = None
    refusal: AgentError | None = None
    unconditional: bool = False
    measures: bool = False

    @property
    def must_ask(self) -> bool:
        """Whether a person must say yes first."""
        return self.tier is PermissionTier.CONFIRM and self.grant is None


class Permissions:
    """The policy, and what a person granted beyond it.

    Args:
        policy: Rules.
        grants: What a person granted.
        catalogue: Tells the tools that can be called now.
        reviewed: Tells whether a person wants to approve all calls of a tool, whatever the rules say.
    """

    def __init__(
        self,
        policy: Policy,
        grants: Grants,
        catalogue: Callable[[], Sequence[ToolDescription]],
        reviewed: Callable[[str], bool] = lambda _tool: False,
    ) -> None:
        self.grants = grants
        self._policy = policy
        self._catalogue = catalogue
        self._reviewed = reviewed

    def judge(self, call: Call, about_to: bool = True) -> PermissionVerdict:
        """Judges a call.

        Arguments that cannot be read are refused rather than asked about: no person can know what they would do. A
        tool that says itself that it needs a yes gets one, whatever the rules say. A grant lifts a question, never a
        prohibition.

        What is wanted right after words of others gave orders needs a yes that no grant lifts: they may be obeyed. So
        does what follows labelled text without the person's own words asking for it; only a grant that was given for
        exactly that question lifts it, and none where the call's own text comes from there. A reaction of the robot to
        such text, a gesture or an emotion, is refused instead: nobody wants to be asked whether it may nod.

        Args:
            call: What is wanted.
            about_to: Whether it is about to be made, which takes the use of a grant that it needs.
        """
        tool = call.tool
        described = next((one for one in self._catalogue() if one.name == tool), None)
        if described is None:
            return _refused(AgentError(ErrorCode.UNKNOWN_TOOL, f"There is no tool {tool!r:.80}."))
        try:
            arguments = read_arguments(described, call.arguments_json)
        except AgentError as error:
            return _refused(error)
        if tool == STOP and described.origin is ToolOrigin.PREDEFINED:
            return PermissionVerdict(PermissionTier.AUTONOMOUS, "stopping is always allowed", unconditional=True)
        rule = self._rule_for(described, arguments)
        if rule.tier is PermissionTier.FORBIDDEN:
            forbidden = AgentError(ErrorCode.APPROVAL_DENIED, f"{tool} is forbidden: {_reason(rule)}.")
            return _refused(forbidden, str(rule))
        if call.tainted and rule.tier < PermissionTier.FORBIDDEN:
            return PermissionVerdict(
                PermissionTier.CONFIRM, "what was read before it gives orders, and they may be obeyed", str(rule)
            )
        granted = self.grants.use if about_to else self.grants.covering
        if call.concern is not None and rule.tier < PermissionTier.CONFIRM:
            asked = call.concern.rule
            grant = None if call.concern.derived else granted(tool, call.session_id, asked, call.asked_by, exactly=True)
            if grant is None and call.concern.is_reaction:
                left_out = f"{tool} is left out: {call.concern.reason}, and nobody asked for it. Go on without it."
                return _refused(AgentError(ErrorCode.APPROVAL_DENIED, left_out), asked)
            return PermissionVerdict(PermissionTier.CONFIRM, call.concern.reason, asked, grant)
        if call.concern is not None:
            return PermissionVerdict(
                PermissionTier.CONFIRM, f"{_reason(rule)}, and {call.concern.reason}", call.concern.rule
            )
        grant = (
            granted(tool, call.session_id, str(rule), call.asked_by) if rule.tier is PermissionTier.CONFIRM else None
        )
        measures = tool in MEASURING and described.origin is ToolOrigin.PREDEFINED
        return PermissionVerdict(rule.tier, _reason(rule), str(rule), grant, measures=measures)

    def _rule_for(self, described: ToolDescription, arguments: Mapping[str, Any]) -> PermissionRule:
        """The policy's rule, or one that asks where the tool itself or its reviewer wants that."""
        rule, tool = self._policy.rule_for(described, arguments), described.name
        if described.needs_approval and rule.tier < PermissionTier.CONFIRM:
            return PermissionRule((tool,), PermissionTier.CONFIRM, because="the tool itself asks for a person's yes")
        if self._reviewed(tool) and rule.tier < PermissionTier.CONFIRM:
            return PermissionRule(
                (tool,), PermissionTier.CONFIRM, because="a person wants to see the plan before it is followed"
            )
        return rule


def _reason(rule: PermissionRule) -> str:
    return rule.because or f"the rule is '{rule}'"


def _refused(error: AgentError, rule: str = "") -> PermissionVerdict:
    return PermissionVerdict(PermissionTier.FORBIDDEN, error.message, rule, refusal=error)
