"""Permission verdicts for tool calls: allowed, allowed after a person's approval, or forbidden."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from reachy_agent_ros.agent.permissions.grants import Grant, Grants
from reachy_agent_ros.agent.permissions.policy import PermissionRule, PermissionTier, Policy
from reachy_agent_ros.agent.provenance.judgment import Concern
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.core.suggestion import did_you_mean
from reachy_agent_ros.tools.protocol.tool_arguments import read_arguments
from reachy_agent_ros.tools.protocol.tools import ToolAuthor, ToolDescription, ToolOrigin

STOP = "stop"
"""Built-in tool that always runs, regardless of the rules and even if the disk is full: stopping is always safer."""

MEASURING = frozenset({"get_robot_state"})
"""Built-in tools that only measure, so that identical calls may share an audit record."""


@dataclass(frozen=True)
class Call:
    """Tool call for which permission is requested.

    Attributes:
        tool: Name of the tool.
        arguments_json: Arguments, a JSON object.
        session_id: Conversation of the call.
        turn_id: Turn of the call.
        requester: Agent that requests the call.
        run_state: State from which the turn resumes after a restart.
        tainted: Whether the requester has just read instructions in untrusted text.
        asked_by: Token with which the request was made, empty if none.
        approval_id: Approval that `Enforcement.ask` or `Enforcement.resume` returned for the call, None without one.
        origin: Provenance labels of the requester's context, in one line.
        concern: Reason why this provenance requires an approval, None if it does not.
        kept_origin: Provenance labels of text in the arguments that the tool stores.
        language: ISO 639-1 code of the request's language; empty if unknown.
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
    language: str = ""


@dataclass(frozen=True)
class PermissionVerdict:
    """Verdict on one tool call: its permission tier, and the reason.

    Attributes:
        tier: Permission tier of the call, regardless of grants.
        reason: Reason for the tier, for people.
        rule: Description of the rule that determined the verdict; empty if no rule was consulted.
        grant: Grant that replaces a person's approval, None without one.
        refusal: Error that explains why the call must not run, None if it may.
        unconditional: Whether the call runs even if it cannot be logged.
        measures: Whether the call only measures.
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
        """Whether a person must approve the call before it is executed."""
        return self.tier is PermissionTier.CONFIRM and self.grant is None


class Permissions:
    """Decides whether tool calls are permitted, based on the policy, the grants and the provenance of text.

    Args:
        policy: Permission rules.
        grants: Grants that a person has given.
        catalogue: Returns the tools that can be called now.
        reviewed: Returns whether a person wants to approve all calls of a tool, regardless of the rules.
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
        """Decides whether a call is allowed, needs a person's approval, or is forbidden.

        A call with invalid arguments is rejected without a question, because no person can know what it would do. A
        tool that requires approval always needs one, whatever the rules allow. A grant replaces an approval, but never
        lifts a prohibition.

        A call right after untrusted text with instructions needs an approval that no grant replaces, because the agent
        may be following these instructions. A call after labeled text that the person's own words did not ask for
        also needs an approval. Only a grant for exactly this question replaces that approval: for the same kinds of
        origins and, if a rule requires an approval anyway, for the same rule. No grant does if the call takes text from
        the labeled text. A mere reaction to such text (a gesture or an emotion) that neither a grant nor such a rule
        covers is rejected without a question, because nobody wants to be asked whether the robot may nod.

        Args:
            call: Call to judge.
            about_to: Whether the call is about to be made, which consumes one use of the grant that it needs.
        """
        tool = call.tool
        catalogue = self._catalogue()
        described = next((one for one in catalogue if one.name == tool), None)
        if described is None:
            message = f"There is no tool {tool!r:.80}.{did_you_mean(tool, (one.name for one in catalogue))}"
            return _refused(AgentError(ErrorCode.UNKNOWN_TOOL, message))
        try:
            arguments = read_arguments(described, call.arguments_json)
        except AgentError as error:
            return _refused(error)
        if tool == STOP and described.origin is ToolOrigin.PREDEFINED:
            return PermissionVerdict(PermissionTier.AUTONOMOUS, "stopping is always allowed", unconditional=True)
        rule = self._rule_for(described, arguments)
        if rule.tier is PermissionTier.FORBIDDEN:
            why = rule.because or f"the rule is '{rule}'"
            return _refused(AgentError(ErrorCode.APPROVAL_DENIED, f"{tool} is forbidden: {why}."), str(rule))
        if call.tainted and rule.tier < PermissionTier.FORBIDDEN:
            return PermissionVerdict(
                PermissionTier.CONFIRM,
                "text that was read earlier contains instructions that the model may follow",
                str(rule),
            )
        granted = self.grants.use if about_to else self.grants.covering
        if call.concern is not None:
            return self._judge_origin(call, call.concern, rule, described.author, granted)
        grant = (
            granted(tool, call.session_id, str(rule), call.asked_by) if rule.tier is PermissionTier.CONFIRM else None
        )
        measures = tool in MEASURING and described.origin is ToolOrigin.PREDEFINED
        return PermissionVerdict(rule.tier, _reason(rule, described.author), str(rule), grant, measures=measures)

    def _judge_origin(
        self,
        call: Call,
        concern: Concern,
        rule: PermissionRule,
        author: ToolAuthor,
        granted: Callable[..., Grant | None],
    ) -> PermissionVerdict:
        """Judges a call that needs an approval because of labeled text. See `judge`."""
        asked, reason = concern.rule, concern.reason
        if rule.tier is PermissionTier.CONFIRM:
            asked, reason = f"{asked}; {rule}", _reason(rule, author, reason)
        grant = None if concern.derived else granted(call.tool, call.session_id, asked, call.asked_by, exactly=True)
        if grant is None and concern.is_reaction and rule.tier < PermissionTier.CONFIRM:
            left_out = f"{call.tool} is left out: {reason}, and nobody asked for it. Go on without it."
            return _refused(AgentError(ErrorCode.APPROVAL_DENIED, left_out), asked)
        return PermissionVerdict(PermissionTier.CONFIRM, reason, asked, grant)

    def _rule_for(self, described: ToolDescription, arguments: Mapping[str, Any]) -> PermissionRule:
        """Returns the policy's rule for a tool, or a stricter rule if the tool or the plan review requires approval."""
        rule, tool = self._policy.rule_for(described, arguments), described.name
        if described.needs_approval and rule.tier < PermissionTier.CONFIRM:
            return PermissionRule((tool,), PermissionTier.CONFIRM, because="this tool always needs an approval")
        if self._reviewed(tool) and rule.tier < PermissionTier.CONFIRM:
            return PermissionRule(
                (tool,), PermissionTier.CONFIRM, because="a person wants to see the plan before it is followed"
            )
        return rule


_WRITTEN = {
    ToolAuthor.PERSON: "a person wrote it",
    ToolAuthor.LANGUAGE_MODEL: "a language model wrote it",
    ToolAuthor.IMPORT: "it was imported from a file",
}


def _reason(rule: PermissionRule, author: ToolAuthor, concern: str = "") -> str:
    """Returns a readable reason for a call's permission tier, as clauses without a final period.

    Args:
        rule: Rule that determines the tier.
        author: Author of the tool, which a person needs to know before an approval.
        concern: Reason that follows from the provenance of the call; empty if none.
    """
    first = rule.because or "one of your permission rules requires it"
    *others, last = [clause for clause in (first, _WRITTEN.get(author, ""), concern) if clause]
    return f"{', '.join(others)}, and {last}" if others else last


def _refused(error: AgentError, rule: str = "") -> PermissionVerdict:
    return PermissionVerdict(PermissionTier.FORBIDDEN, error.message, rule, refusal=error)
