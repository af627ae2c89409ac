"""Permission service: policy, grants, approvals and audit log in the files of one folder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from reachy_agent_ros.agent.permissions.approval_store import FILE_NAME as APPROVALS_FILE
from reachy_agent_ros.agent.permissions.approval_store import ApprovalStore
from reachy_agent_ros.agent.permissions.approvals import Approvals
from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.enforcement import Enforcement
from reachy_agent_ros.agent.permissions.grants import Grant, Grants
from reachy_agent_ros.agent.permissions.pending_approval import PendingApproval
from reachy_agent_ros.agent.permissions.permissions import Permissions
from reachy_agent_ros.agent.permissions.policy import load_policy
from reachy_agent_ros.agent.toolbox.tool_names import unknown_names
from reachy_agent_ros.core.errors import AgentError, ErrorCode
from reachy_agent_ros.tools.protocol.tools import ToolDescription

AUDIT_FILE = "audit.jsonl"
POLICY_FILE = "permissions.yaml"


class PermissionService:
    """Permission service of the agent, with its policy, grants, approvals and audit log.

    Args:
        directory: Folder of the files.
        time_limit: Time limit for a person's decision, s.
        catalogue: Returns the tools that can be called now.
        reviewed: Returns whether a person wants to approve all calls of a tool, regardless of the rules.
        on_approvals: Called with all pending questions, oldest first, whenever they change.
        on_grants: Called with all valid grants, oldest first; see `on_change` of `Grants`.

    Attributes:
        approvals: Pending questions to a person.
        grants: Grants that a person has given.
        enforcement: Permits or rejects calls.
        known_tools: Names of all tools, as for `unknown_names`; None until they are known. Writable.

    Raises:
        AgentError: `INVALID_ARGUMENTS`: the policy file is invalid; `STORAGE_FAILED`.
    """

    def __init__(
        self,
        directory: Path,
        time_limit: float,
        catalogue: Callable[[], Sequence[ToolDescription]],
        reviewed: Callable[[str], bool],
        on_approvals: Callable[[list[PendingApproval]], None],
        on_grants: Callable[[list[Grant]], None],
    ) -> None:
        self._policy = load_policy(directory / POLICY_FILE)
        self._catalogue = catalogue
        self._store = ApprovalStore(directory / APPROVALS_FILE)
        self._audit = AuditLog(directory / AUDIT_FILE)
        self.approvals = Approvals(time_limit, on_approvals, self._store)
        self.grants = Grants(on_grants)
        permissions = Permissions(self._policy, self.grants, catalogue, reviewed)
        self.enforcement = Enforcement(permissions, self.approvals, self._audit)
        self.known_tools: Collection[str] | None = None

    @property
    def damage(self) -> str:
        """Description of damaged approval questions in the file; empty if all questions are undamaged."""
        return self._store.damage

    def idle_rules(self) -> list[str]:
        """Describes the rules from `Policy.idle` for the available tools, without rules for all tools (`*`)."""
        return [str(rule) for rule in self._policy.idle(self._catalogue()) if rule.tools != ("*",)]

    def unknown_tools(self) -> str:
        """Describes the tools in rules that do not exist, as in `unknown_names`; empty until the tools are known."""
        problem = self._unknown(self._policy.tools)
        return f"{POLICY_FILE}: {problem}" if problem else ""

    def grant(self, grant: Grant) -> None:
        """Adds a grant like `Enforcement.grant`, but only for tools that exist, if the tools are known.

        Raises:
            AgentError: `UNKNOWN_TOOL`, with the closest tool names, or an error of `Enforcement.grant`.
        """
        if problem := self._unknown(grant.tools):
            raise AgentError(ErrorCode.UNKNOWN_TOOL, problem)
        self.enforcement.grant(grant)

    def close(self) -> None:
        """Closes the files. The service must not be used afterwards."""
        self.enforcement.close()
        self._store.close()
        self._audit.close()

    def _unknown(self, names: Sequence[str]) -> str:
        """Describes names of tools that do not exist. A tool that was added a moment ago is only in the catalogue."""
        if self.known_tools is None:
            return ""
        return unknown_names(names, [*self.known_tools, *(tool.name for tool in self._catalogue())])
