"""Permission checks of the tool server: rules and approvals of calls, and reviews of generated tools."""

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
    """Checks calls with the agent's rules file, and uses up the approvals that the agent has stored.

    The agent asks people and knows their grants. It also stores an approval for a call that a grant covers, so that a
    call that needs an approval either has one or is rejected here.


    Args:
        directory: Folder of the rules and approvals.
        tools: Returns the tools that can be called now.


    Raises:
        AgentError: `INVALID_ARGUMENTS` if the rules file is invalid.
    """

    def __init__(self, directory: Path, tools: Callable[[], Sequence[ToolDescription]]) -> None:
        self._approvals = directory / APPROVALS_FILE
        self._permissions = Permissions(load_policy(directory / POLICY_FILE), Grants(), tools)

    def reason_to_ask(self, request: ToolRequest) -> str | None:
        """Returns the reason why a person must approve a call, or None if the call needs no approval.

        Raises:
            AgentError: `APPROVAL_DENIED` if a rule forbids the call, `UNKNOWN_TOOL` or `INVALID_ARGUMENTS` if the call
                cannot be checked.
        """
        call = Call(request.name, request.arguments_json, "", request.turn_id, request.caller)
        verdict = self._permissions.judge(call)
        if verdict.refusal is not None:
            raise verdict.refusal
        return verdict.reason if verdict.must_ask else None

    def redeem(self, approval_id: uuid.UUID, tool: str, arguments_json: str) -> None:
        """Uses up an approval for a call.

        The file is opened only for this purpose, so that a failing disk does not stop tools that need no approval.

        Raises:
            AgentError: `APPROVAL_REQUIRED` if this is not an approval of the call, or `STORAGE_FAILED`.
        """
        with closing(ApprovalStore(self._approvals)) as store:
            store.redeem(approval_id, tool, arguments_json)


class ToolReviews:
    """Reviews of pending tool versions by people. Decisions are written to the audit log before they take effect.

    Args:
        registry: Registry of generated tools.
        directory: Folder of the audit log, to which the agent also writes.
    """

    def __init__(self, registry: Registry, directory: Path) -> None:
        self._registry = registry
        self._audit = directory / AUDIT_FILE

    def decide(self, name: str, number: int, approve: bool, comment: str, principal: Principal) -> None:
        """Approves or rejects a tool version that is waiting for review.

        Args:
            name: Tool name.
            number: Version that waits for review.
            approve: Whether the version is approved.
            comment: Comment of the person.
            principal: Person who decides, as claimed by the sender.


        Raises:
            AgentError: `UNKNOWN_TOOL`, `NOT_FOUND`, `INVALID_GOAL` if the version is not waiting,
                `DECISION_NOT_ALLOWED` (also written to the audit log), or `STORAGE_FAILED`. The version then remains
                waiting.
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
