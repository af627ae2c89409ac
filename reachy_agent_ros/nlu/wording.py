"""Actions in the words of a question: "Should I look left, or turn my body to the left?"."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from reachy_agent_ros.nlu.decision import Action


def wording(actions: Sequence[Action]) -> str:
    """What the robot would do, as an infinitive of the robot itself."""
    known = dict.fromkeys(_worded(action) for action in actions)
    return " and ".join(known)


def _worded(action: Action) -> str:
    words = _WORDINGS.get(action.tool)
    return f"use {action.tool.replace('_', ' ')}" if words is None else words(action.arguments)


def _head(arguments: Mapping[str, Any]) -> str:
    yaw, pitch, roll = (arguments.get(f"{axis}_deg", 0.0) for axis in ("yaw", "pitch", "roll"))
    looks = [_sign(pitch, "down", "up"), _sign(yaw, "to the left", "to the right")]
    look = " ".join(["look", *filter(None, looks)]) if any(looks) else ""
    tilt = _sign(roll, "tilt my head to the right", "tilt my head to the left")
    return " and ".join(filter(None, [look, tilt])) or "look straight ahead"


def _antennas(arguments: Mapping[str, Any]) -> str:
    right, left = arguments.get("right_deg", 0.0), arguments.get("left_deg", 0.0)
    if not right and not left:
        return "raise my antennas"
    return "lower my antennas" if right <= 0.0 <= left else "wiggle my antennas"


def _body(arguments: Mapping[str, Any]) -> str:
    return f"turn my body {_sign(arguments.get('yaw_deg', 0.0), 'to the left', 'to the right') or 'to the front'}"


_GESTURES = {
    "nod": "nod",
    "shake": "shake my head",
    "tilt": "tilt my head",
    "look_around": "look around",
    "wake_up": "wake up",
    "go_to_sleep": "go to sleep",
}

_WORDINGS: Mapping[str, Callable[[Mapping[str, Any]], str]] = {
    "analyze_scene": lambda _arguments: "look at the scene and answer",
    "detect_objects": lambda _arguments: "list what I see",
    "dance": lambda arguments: f"dance the {str(arguments.get('dance')).replace('_', ' ')}",
    "express_emotion": lambda arguments: f"show {arguments.get('emotion')}",
    "find_object": lambda arguments: f"search for the {arguments.get('name')}",
    "gesture": lambda arguments: _GESTURES.get(str(arguments.get("gesture")), "make a gesture"),
    "get_robot_state": lambda _arguments: "tell how I stand",
    "head_tracking": lambda arguments: "follow your face" if arguments.get("enabled") else "stop following you",
    "look_at_object": lambda arguments: f"look at the {arguments.get('name')}",
    "look_at": lambda _arguments: "look at that point",
    "look_at_image": lambda _arguments: "look at that pixel",
    "play_move": lambda arguments: f"play {arguments.get('name')}",
    "move_head": _head,
    "rotate_body": _body,
    "set_antennas": _antennas,
    "speak": lambda arguments: f'say "{arguments.get("text")}"',
    "take_photo": lambda _arguments: "take a photo",
}


def _sign(angle: float, positive: str, negative: str) -> str:
    return positive if angle > 0.0 else negative if angle < 0.0 else ""
