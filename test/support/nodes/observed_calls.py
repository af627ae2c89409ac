"""Service and action callers whose calls appear in failure reports."""

from __future__ import annotations

from typing import Any

from reachy_agent_ros.ros.rclpy_ext import calls
from support.failure_report import observed


class ServiceCaller(calls.ServiceCaller):
    """Service caller whose calls appear in failure reports."""

    def call(self, request: Any, *arguments: Any, **options: Any) -> Any:
        """Calls the service and records the outcome."""
        with observed(self._name, request) as call:
            return call.answered(super().call(request, *arguments, **options))


class ActionCaller(calls.ActionCaller):
    """Action caller whose goals appear in failure reports."""

    def call(self, goal: Any, *arguments: Any, **options: Any) -> Any:
        """Sends the goal and records the outcome."""
        with observed(self._name, goal) as call:
            return call.answered(super().call(goal, *arguments, **options))
