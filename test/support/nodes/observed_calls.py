"""Callers whose calls are part of failure reports."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.ros.rclpy_ext import calls
from support.failure_report import observed


class ServiceCaller(calls.ServiceCaller):
    """Calls one service."""

    def call(self, request: Any, *arguments: Any, **options: Any) -> Any:
        """As every caller does."""
        with observed(self._name, request) as call:
            return call.answered(super().call(request, *arguments, **options))


class ActionCaller(calls.ActionCaller):
    """Sends goals to one action."""

    def call(self, goal: Any, *arguments: Any, **options: Any) -> Any:
        """As every caller does."""
        with observed(self._name, goal) as call:
            return call.answered(super().call(goal, *arguments, **options))
