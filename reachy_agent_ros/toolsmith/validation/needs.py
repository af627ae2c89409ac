"""What of the world outside a source names: a first guess, which its rehearsal corrects."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from reachy_agent_ros.toolsmith.validation.attributes import path_of
from reachy_agent_ros.toolsmith.validation.imports import Imports
from reachy_agent_ros.toolsmith.validation.robot_names import PREDECLARED

_BY_PATH = {
    "reachy_agent.analyze_scene": "eyes",
    "reachy_agent.detect_objects": "eyes",
    "reachy_agent.dance": "body",
    "reachy_agent.express_emotion": "body",
    "reachy_agent.gesture": "body",
    "reachy_agent.look_at": "body",
    "reachy_agent.play_move": "body",
    "reachy_agent.say": "voice",
    "reachy_agent.take_photo": "eyes",
    "reachy_mini.ReachyMini": "body",
}
"""Values of `Need`."""

_CAMERA = ("media", "get_frame", "get_frame_jpeg")
"""Attributes of `ReachyMini` that show what it sees."""


def named_needs(tree: ast.Module, imports: Imports) -> list[str]:
    """Values of `Need`, sorted."""
    return sorted(set(_needs(tree, imports)))


def _needs(tree: ast.Module, imports: Imports) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        path = path_of(node, imports)
        if isinstance(node, ast.Name) and not path and node.id in PREDECLARED:
            path = f"reachy_agent.{node.id}"
        if path in _BY_PATH:
            yield _BY_PATH[path]
        if path.startswith("requests."):
            yield "web"
        if isinstance(node, ast.Attribute) and node.attr in _CAMERA:
            yield "eyes"
