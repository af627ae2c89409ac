"""A typed sentence as a goal for the agent, and the steps of its turn as lines."""

from __future__ import annotations

from typing import Any

TIMEOUT = 120.0
"""Seconds that a turn may take."""


def goal_of(text: str, session: str = "", speak: bool = True, timeout: float = TIMEOUT) -> Any:
    """The `converse` goal of a sentence that was typed.

    Args:
        text: What to say.
        session: Conversation to go on with; empty for the common one.
        speak: Whether the robot says its reply aloud.
        timeout: Seconds that the turn may take.
    """
    from reachy_agent_msgs.action import Converse

    from reachy_agent_ros.ros.rclpy_ext.convert import duration_message
    from reachy_agent_ros.ros.rclpy_ext.principal_messages import command_line

    return Converse.Goal(
        text=text,
        session_id=session,
        source=Converse.Goal.TYPED,
        speak=speak,
        wait=True,
        time_allowance=duration_message(timeout),
        asked_by=command_line(),
    )


def step_line(feedback: Any) -> str:
    """One line about a step of a turn that is no piece of its reply."""
    from reachy_agent_msgs.action import Converse

    kinds = Converse.Feedback
    lines = {
        kinds.TOOL_STARTED: f"> {feedback.name} {feedback.arguments_json}",
        kinds.TOOL_ENDED: f"< {feedback.name} {feedback.text}",
        kinds.HANDOFF: f"@ {feedback.name}",
        kinds.WAITING: f"... {feedback.text}",
    }
    return str(lines.get(feedback.kind, feedback.text))
