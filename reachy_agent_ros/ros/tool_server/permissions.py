"""Permissions as the tool server applies them: the rules to every call, and reviews of generated tools."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from reachy_agent_ros.agent.permissions.approval_store import FILE_NAME as APPROVALS_FILE
from reachy_agent_ros.agent.permissions.approval_store import ApprovalStore
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.grants import Grants
from reachy_agent_ros.agent.permissions.permission_service import AUDIT_FILE, POLICY_FILE
from reachy_agent_ros.agent.permissions.permissions import Call, Permissions
from reachy_agent_ros.agent.permissions.policy import load_policy
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.principal_messages import claimed
from reachy_agent_ros.tool_generation.registry.registry import Registry
from reachy_agent_ros.tools.call import ToolRequest
from reachy_agent_ros.tools.protocol.tools import ToolDescription


class CallRules:
    """Judges calls by the file of rules that the agent reads, and redeems the approvals that the agent stores.

    The agent asks people and knows their grants; for a call that a grant covers it stores an approval, too. So a call
    that needs a person's yes comes with an approval or is refused here.

    Args:
        directory: Where the rules and the approvals are.
        tools: Tells the tools that can be called now.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the file of rules is wrong.
    """

    def __init__(self, directory: Path, tools: Callable[[], Sequence[ToolDescription]]) -> None:
        self._approvals = directory / APPROVALS_FILE
        self._permissions = Permissions(load_policy(directory / POLICY_FILE), Grants(), tools)

    def reason_to_ask(self, request: ToolRequest) -> str | None:
        """Why a person must approve a call, None if nobody must.

        Raises:
            AgentError: `APPROVAL_DENIED`: a rule forbids it; `UNKNOWN_TOOL`, `INVALID_ARGUMENTS`: no rule can judge it.
        """
        call = Call(request.name, request.arguments_json, "", request.turn_id, request.caller)
        verdict = self._permissions.judge(call)
        if verdict.refusal is not None:
            raise verdict.refusal
        return verdict.reason if verdict.must_ask else None

    def redeem(self, approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        """Uses up an approval.

        The file is open for this long only: a disk that fails stops no tool that needs no approval.

        Raises:
            AgentError: `APPROVAL_REQUIRED`: it is not an approval of this call; `STORAGE_FAILED`.
        """
        with closing(ApprovalStore(self._approvals)) as store:
            store.redeem(approval_id, tool, arguments_json)


class ToolReviews:
    """Decides about versions that wait for a person. A decision is in the audit log before it has an effect.

    Args:
        registry: Where the tools are.
        directory: Folder of the audit log, which the agent writes, too.
    """

    def __init__(self, registry: Registry, directory: Path) -> None:
        self._registry = registry
        self._audit = directory / AUDIT_FILE

    def decide(self, name: str, number: int, approve: bool, comment: str, principal: Principal) -> None:
        """Approves or rejects a version.

        Args:
            name: The tool's.
            number: Version that waits.
            approve: Yes or no.
            comment: The person's own words.
            principal: Who decides, as the sender says.

        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`; `INVALID_GOAL`: it does not wait; `DECISION_NOT_ALLOWED`, which is
                in the audit log, too; `STORAGE_FAILED`. The version still waits then.
        """
        version = self._registry.get(name).waiting(number)
        who, asked_by = claimed(principal.name), version.record.asked_by
        about = json.dumps({"version": version.number, "digest": version.digest})

        def write(outcome: str, reason: str) -> None:
            entry = AuditEntry("review", outcome, who, name, about, reason=reason, asked_by=asked_by, decided_by=who)
            with closing(AuditLog(self._audit)) as log:
                log.append(entry)

        try:
            principal.require_may_answer(f"version {version.number} of {name}", asked_by, approve)
        except AgentError as error:
            write("rejected", error.message)
            raise
        write("approved" if approve else "refused", comment)
        decide = self._registry.approve if approve else self._registry.reject
        decide(name, version.number, comment, who)
