"""Which capabilities a source needs: those that anything it names could use.

This is an over-approximation: a tool that only reads the robot's pose needs the body, and a function that is named and
never called counts. What a source does not name, the broker refuses.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from reachy_agent_ros.tool_generation.need import Need
from reachy_agent_ros.tool_generation.validation.attributes import path_of
from reachy_agent_ros.tool_generation.validation.imports import PREDECLARED, Imports

NEEDS: Mapping[str, Need] = {
    "reachy_agent.analyze_scene": Need.EYES,
    "reachy_agent.dance": Need.BODY,
    "reachy_agent.detect_objects": Need.EYES,
    "reachy_agent.express_emotion": Need.BODY,
    "reachy_agent.gesture": Need.BODY,
    "reachy_agent.look_at": Need.BODY,
    "reachy_agent.play_move": Need.BODY,
    "reachy_agent.say": Need.VOICE,
    "reachy_agent.take_photo": Need.EYES,
    "reachy_mini.ReachyMini": Need.BODY,
    "requests.get": Need.WEB,
}
"""By the dotted path of whatever asks the host; everything else that a tool may import works inside the sandbox."""

_CAMERA = frozenset(("look_at_image", "media"))
"""Attributes of `ReachyMini` by which one reaches its camera, directly or not."""


def named_needs(tree: ast.Module, imports: Imports) -> list[str]:
    """Values of `Need`, sorted."""
    return sorted(set(_needs(tree, imports)))


def _needs(tree: ast.Module, imports: Imports) -> Iterator[Need]:
    for node in ast.walk(tree):
        if not isinstance(node, (ast.Name, ast.Attribute)):
            continue
        path = path_of(node, imports)
        if path in NEEDS:
            yield NEEDS[path]
        if isinstance(node, ast.Name) and node.id in PREDECLARED:
            yield NEEDS[f"reachy_agent.{node.id}"]
        if isinstance(node, ast.Attribute) and node.attr in _CAMERA:
            yield Need.EYES
