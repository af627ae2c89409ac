"""Reviews of generated tools: who may decide, and the record of what was decided."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from reachy_agent_ros.agent.permissions.audit_log import AuditLog
from reachy_agent_ros.agent.permissions.audit_record import AuditEntry
from reachy_agent_ros.agent.permissions.office import AUDIT_FILE
from reachy_agent_ros.agent.permissions.principal import Principal
from reachy_agent_ros.core.errors import AgentError
from reachy_agent_ros.ros.rclpy_ext.principal_messages import claimed
from reachy_agent_ros.tool_generation.registry.registry import Registry


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
