"""Permissions for tool calls: policy, grants, human approvals, and the audit log."""
