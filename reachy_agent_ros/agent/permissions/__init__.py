"""Permissions for tool calls: policy, grants, approvals by a person, and the audit log."""
